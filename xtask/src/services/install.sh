# Installs the packages named as arguments, as root, and lets none of them start its service.
# Debian's scripts ask the policy file before they start a service; 101 means no. It is put back as it was, also after
# a run that was cut off before it could do so.
set -eu
apt_get=${APT_GET:-apt-get}
policy=${POLICY:-/usr/sbin/policy-rc.d}
lists=${LISTS:-/var/lib/apt/lists}
saved=$policy.before-xtask
mark='# Put here by "cargo xtask services" while it installs packages'
export DEBIAN_FRONTEND=noninteractive

restore() {
    if [ -e "$policy" ] && grep -qF "$mark" "$policy"; then rm -f "$policy"; fi
    if [ -e "$saved" ]; then mv -f "$saved" "$policy"; fi
}

call() {
    "$apt_get" --yes --quiet -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}

install() {
    call --no-install-recommends --no-remove install "$@"
}

restore
trap restore EXIT
trap 'exit 130' HUP INT TERM
if [ -e "$policy" ]; then mv "$policy" "$saved"; fi
printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >"$policy"
chmod 755 "$policy"

if ! ls "$lists"/*Packages* >/dev/null 2>&1; then
    call update
fi
install "$@" && exit 0
call update
install "$@"
