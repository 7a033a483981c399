#!/bin/sh
# The browser at $CHROMIUM without the pages of its address bar: each new window loads them, which takes a second of a processor, and nobody
# sees them. Of several lists of features Chromium reads the last one only, so the one that is given is made longer.
for given; do
  shift
  case $given in --disable-features=*) given="$given,WebUIOmniboxPopup,WebUIOmniboxAimPopup" ;; esac
  set -- "$@" "$given"
done
exec "$CHROMIUM" "$@"
