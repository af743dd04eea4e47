#!/bin/sh
# Unpacks a Redis server from the packages of a Debian or Ubuntu system into a cache folder and prints the path of a
# program that runs it. Installs nothing and needs no rights: packages are downloaded with apt's own files kept in the
# cache folder, and the server finds its libraries through LD_LIBRARY_PATH.
#
#     sh unpack-redis.sh ~/.cache/gridlock
set -eu

cache=$1
. /etc/os-release
redis=$cache/redis-$ID-${VERSION_ID:-unversioned}-$(dpkg --print-architecture)
if [ -x "$redis/redis-server" ]; then
  echo "$redis/redis-server"
  exit
fi

# One process unpacks; the others wait here, then find it done.
mkdir -p "$cache"
exec 9>"$redis.lock"
flock 9
if [ -x "$redis/redis-server" ]; then
  echo "$redis/redis-server"
  exit
fi

work=$(mktemp -d "$cache/unpacking-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/apt/archives/partial" "$work/lists/partial" "$work/debs" "$work/root"
echo "no Redis server is installed: unpacking one into $redis" >&2

# With no package installed, as far as apt can see, it takes the newest that the sources have.
: >"$work/status"
download() (
  cd "$work/debs"
  apt-get -q -q -o Dir::Cache="$work/apt" -o Dir::State::status="$work/status" -o APT::Sandbox::User="" "$@"
)
# If the system's lists of packages are missing or old, this makes separate ones. It leaves out hooks of the system's
# apt, which clean up the system's folders.
own_lists() {
  apt_config=$work/apt.conf
  {
    if [ -n "${APT_CONFIG:-}" ]; then cat "$APT_CONFIG"; fi
    echo "Dir::State::lists \"$work/lists\";"
    echo "Dir::Etc::parts \"$work/parts\";"
  } >"$apt_config"
  mkdir "$work/parts"
  for part in /etc/apt/apt.conf.d/*; do
    if [ -f "$part" ] && ! grep -q -i -E 'Update::P(re|ost)-Invoke' "$part"; then cp "$part" "$work/parts/"; fi
  done
  export APT_CONFIG="$apt_config"
  download update
}
download download redis-server redis-tools 2>/dev/null || {
  own_lists
  download download redis-server redis-tools
}

unpack() {
  for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/root"; done
}
# The folders of the unpacked libraries, for a folder that has or will have the root.
libraries() {
  find "$work/root" -name '*.so.*' -exec dirname {} + | sort -u | sed "s|^$work|$1|" | paste -s -d : -
}
misses_libraries() {
  LD_LIBRARY_PATH=$(libraries "$work") ldd "$work/root/usr/bin/redis-server" 2>/dev/null | grep -q 'not found'
}
# The first alternative of each dependency of the downloaded packages, unless it is installed or downloaded.
missing_packages() {
  for deb in "$work"/debs/*.deb; do dpkg-deb -f "$deb" Depends; done |
    tr ',' '\n' | sed 's/|.*//; s/(.*//; s/:.*//; s/ //g' | sort -u |
    while read -r package; do
      if [ -z "$package" ] || ls "$work"/debs/"$package"_*.deb >/dev/null 2>&1; then continue; fi
      if dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed'; then continue; fi
      echo "$package"
    done
}
unpack
while misses_libraries; do
  packages=$(missing_packages)
  if [ -z "$packages" ]; then
    echo "a library of redis-server is in no package that it depends on" >&2
    exit 1
  fi
  # shellcheck disable=SC2086 # one word for each package
  download download $packages
  unpack
done

LD_LIBRARY_PATH=$(libraries "$work") "$work/root/usr/bin/redis-server" --version >&2
cat >"$work/redis-server" <<EOF
#!/bin/sh
LD_LIBRARY_PATH='$(libraries "$redis")' exec '$redis/root/usr/bin/redis-server' "\$@"
EOF
chmod +x "$work/redis-server"
rm -rf "$work/apt" "$work/status" "$work/lists" "$work/parts" "$work/debs" "$work/apt.conf"
chmod 755 "$work"
trap - EXIT
rm -rf "$redis"
mv "$work" "$redis"
echo "$redis/redis-server"
