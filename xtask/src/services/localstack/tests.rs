//! The command lines of `LocalStack`, and when it is made anew.

use super::*;
use crate::services::test_support::{self, made_up_programs, words};

#[test]
fn it_listens_on_loopback_only_and_connects_to_nothing_outside() {
    let command = LocalStack.serve(&made_up_programs(), &Home::at("/t/localstack-4"), 4577);
    assert_eq!(words(&command), "/t/localstack-4/data/venv/bin/python -m localstack.runtime.main");
    let value =
        |name: &str| command.get_envs().find(|(found, _)| *found == name).and_then(|(_, value)| value);
    for (name, wanted) in [
        ("GATEWAY_LISTEN", "127.0.0.1:4577"),
        ("GATEWAY_SERVER", "hypercorn"),
        ("DISABLE_EVENTS", "1"),
        ("SKIP_SSL_CERT_DOWNLOAD", "1"),
        ("HOME", "/t/localstack-4/data/home"),
    ] {
        assert_eq!(value(name), Some(wanted.as_ref()), "{name}");
    }
    assert_eq!(LocalStack.url(4577, "sesame"), "http://127.0.0.1:4577");
}

#[test]
fn every_package_has_one_version_and_localstack_has_its_own() {
    let lines = PACKAGES.lines().filter(|line| !line.starts_with('#'));
    let loose: Vec<_> = lines.filter(|line| line.split("==").count() != 2).collect();
    assert!(loose.is_empty(), "{loose:?}");
    assert!(version().is_some_and(|version| PACKAGES.starts_with(&format!("# LocalStack {version},"))));
    assert_eq!(fs::read_to_string(PACKAGES_FILE).unwrap(), PACKAGES);
}

#[test]
fn what_an_earlier_one_left_is_removed() {
    let folder = test_support::folder("localstack-files");
    let home = Home::at(folder.path());
    let left = files_in(&home.data()).join("state");
    fs::create_dir_all(&left).unwrap();
    LocalStack.prepare(&home, &Place { port: 1, upstream: None }).unwrap();
    assert!(!left.exists() && files_in(&home.data()).is_dir() && home_in(&home.data()).is_dir());
}
