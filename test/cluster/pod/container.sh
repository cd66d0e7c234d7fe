# A container as a kubelet would start it, of its own mounts only: a root that can be read, the folders of its volumes,
# a user without a name. What is in the image besides our own files (git, libraries) is this machine's.
#
#   unshare --mount --propagation private sh container.sh PLAN IMAGE
#
# PLAN is a folder: root/ (to mount on), node (path of Node), mounts (TARGET SOURCE ro|rw), env, argv.
set -eu
plan=$1 image=$2 root=$1/root
mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir -p "$root/usr" "$root/proc" "$root/dev" "$root/etc" "$root/opt"
mount --rbind /usr "$root/usr"
for name in bin sbin lib lib64; do
  if [ -h "/$name" ]; then cp -P "/$name" "$root/$name"
  elif [ -d "/$name" ]; then mkdir "$root/$name"; mount --rbind "/$name" "$root/$name"; fi
done
mount -t tmpfs -o mode=755 tmpfs "$root/usr/local"
cp -R "$image/." "$root/"
touch "$root/usr/local/bin/node"
mount --bind "$(cat "$plan/node")" "$root/usr/local/bin/node"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
echo 'quiesce:x:65532:65532::/tmp:/usr/sbin/nologin' > "$root/etc/passwd"
while read -r target from mode; do
  mkdir -p "$root$target"
  mount --bind "$from" "$root$target"
  [ "$mode" = rw ] || mount -o remount,bind,ro "$root$target"
done < "$plan/mounts"
mount -o remount,ro "$root/usr/local"
mount -o remount,ro "$root"
set --
while IFS= read -r word; do set -- "$@" "$word"; done < "$plan/env"
while IFS= read -r word; do set -- "$@" "$word"; done < "$plan/argv"
exec chroot --userspec=65532:65532 --groups=65532 "$root" /usr/bin/env -i "$@"
