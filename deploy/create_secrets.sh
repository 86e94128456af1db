#!/bin/sh
# Create the secrets of docker-compose.yml, one file each. Existing files stay as they are.
#
#     deploy/create_secrets.sh            into secrets/
#     deploy/create_secrets.sh FOLDER     into another folder: name it as HAGGIS_SECRETS in .env
#
# The containers run as users of their own, so they must be able to read the files; the folder is closed to everybody
# else on this machine.
set -eu

folder=${1:-secrets}
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

# Letters and digits, so that no place needs to quote them: 43 of 62 have 256 bits.
random() {
    LC_ALL=C tr -dc 'A-Za-z0-9' </dev/urandom | head -c "$1"
    echo
}

create() {
    [ -e "$folder/$1" ] || { cat >"$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }
}

random 64 | create secret_key
random 43 | create owner_password
random 43 | create database_password
random 43 | create redis_password
random 43 | create metrics_token
# Optional: smtp+tls://user:password@host:587, and the output of `manage.py push_key`.
create email_url </dev/null
create push_key </dev/null
