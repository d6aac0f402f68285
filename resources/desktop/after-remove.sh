#!/bin/sh
# After a deb or rpm was removed; on an upgrade the new version is in place already and everything stays.
# deb passes "remove" or "purge", rpm the number of versions that are left.
case "$1" in upgrade | failed-upgrade | abort-* | disappear | 1 | 2) exit 0 ;; esac

rm -f '/usr/bin/${executable}'

PROFILE='/etc/apparmor.d/${executable}'
if [ -e "$PROFILE" ]; then
  apparmor_parser --remove "$PROFILE" >/dev/null 2>&1 || true
  rm -f "$PROFILE"
fi
# The profile of bwrap stays: other programs may rely on it by now.
exit 0
