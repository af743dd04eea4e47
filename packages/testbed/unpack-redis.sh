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

# As far as apt can see, everything is installed that is, except Redis.
awk -v RS= -v ORS='\n\n' '!/^Package: redis/' /var/lib/dpkg/status >"$work/status"
apt() {
  apt-get -q -q -o Dir::Cache="$work/apt" -o Dir::State::status="$work/status" -o APT::Sandbox::User="" "$@"
}
download() (
  cd "$work/debs"
  # shellcheck disable=SC2046 # one word for each package
  apt install --simulate --no-install-recommends redis-server >"$work/plan" &&
    apt download $(awk '/^Inst/ { print $2 }' "$work/plan")
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
  apt update
}
download 2>/dev/null || {
  own_lists
  download
}

for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/root"; done
# The folders of the unpacked libraries, for a folder that has or will have the root.
libraries() {
  find "$work/root" -name '*.so.*' -exec dirname {} + | sort -u | sed "s|^$work|$1|" | paste -s -d : -
}
LD_LIBRARY_PATH=$(libraries "$work") "$work/root/usr/bin/redis-server" --version >&2
cat >"$work/redis-server" <<EOF
#!/bin/sh
LD_LIBRARY_PATH='$(libraries "$redis")' exec '$redis/root/usr/bin/redis-server' "\$@"
EOF
chmod +x "$work/redis-server"
rm -rf "$work/apt" "$work/status" "$work/plan" "$work/lists" "$work/parts" "$work/debs" "$work/apt.conf"
chmod 755 "$work"
trap - EXIT
rm -rf "$redis"
mv "$work" "$redis"
echo "$redis/redis-server"
