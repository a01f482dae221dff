#!/bin/sh
# Stands in for LibreOffice: the first line of the document says what goes wrong, the second is the PDF as base64.
for last; do :; done
out="${last%/*}/out"
case "$(head -n 1 "$last")" in
  hang) sleep 600 & sleep 600 ;;
  die) exit 77 ;;
  half) printf '%%PDF-1.7 and nothing' > "$out/document.pdf" ;;
  garbage) head -c 5000 /dev/urandom > "$out/document.pdf" ;;
  busy) while :; do :; done ;;
  memory) tail /dev/zero ;;
  flood) head -c 500000000 /dev/zero > "$out/document.pdf" ;;
  long) { sed 1d "$last" | base64 -d; head -c 200000 /dev/zero; } > "$out/document.pdf" ;;
  many) for n in $(seq 100); do head -c 4000000 /dev/zero > "$out/$n"; sleep 0.02; done; sleep 600 ;;
  read) cat "$(sed -n 2p "$last")" > "$out/document.pdf" ;;
  write) sed 1,2d "$last" | tee "$(sed -n 2p "$last")" | base64 -d > "$out/document.pdf" ;;
  link) ln -s "$(sed -n 2p "$last")" "$out/document.pdf" ;;
  folder) rmdir "$out" && ln -s "$(sed -n 2p "$last")" "$out" ;;
  pipe) mkfifo "$out/document.pdf" ;;
  sacrificed) cat /proc/self/oom_score_adj > "$out/document.pdf" ;;
  limits) echo "$(ulimit -t) s, $(ulimit -v) kB" > "$out/document.pdf" ;;
  connect) perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(@ARGV) ? "reached" : "not reached"' "$(sed -n 2p "$last")" > "$out/document.pdf" ;;
  environment) env > "$out/document.pdf" ;;
  *) sed 1d "$last" | base64 -d > "$out/document.pdf" ;;
esac
