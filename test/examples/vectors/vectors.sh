source "$1"
set +e
while IFS=$'\t' read -r kind name one two three four; do
  text=$(openssl base64 -d -A <<<"$two" 2>/dev/null; printf .)
  if [ "$kind" = digest ]; then is_digest "$one" "${text%.}"; else is_signed "$one" "$two" "$three" "$four"; fi
  [ $? = 0 ] && echo "$name true" || echo "$name false"
done
