# Makes a virtual environment with the packages of a list. Its arguments are the Python to use, the folder to make it in,
# and the list, a copy of which is put beside it once all is there: it says what the environment was made of.
set -eu
python=$1 folder=$2 list=$3

"$python" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --no-input --disable-pip-version-check --requirement "$list"
cp "$list" "$folder/made-of"
