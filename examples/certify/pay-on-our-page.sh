#!/bin/sh
# A driver of a hosted payment page as a command, for `assay certify`: the same as pay-on-our-page.mjs, with curl and
# without a browser. It suits a page of plain forms, or a back door of your bank's stub.
#
#   shopper:
#     command: sh ./pay-on-our-page.sh    # runs in the folder of the profile
#     withinSeconds: 30
#
# It is run once for each payment of IRIS, and finds in its environment:
#
#   OUTCOME         approve or decline
#   REDIRECT_URL    the page of the initiate response
#   TRANSACTION_ID  the payment
#   DEADLINE        ISO 8601: after it the command and all that it started are ended
#
# Exit status 0 means that the shopper has acted. With any other the checks that need this payment are "blocked", and the
# last line of stderr says why.
set -eu

submit() { curl --fail --silent --show-error --max-time 10 --output /dev/null --data "action=$1" "$2"; }

case $OUTCOME in
  approve) submit approve "$REDIRECT_URL/banks/alkyon/accounts/current?user=shopper" ;;
  decline) submit decline "$REDIRECT_URL/decision" ;;
esac
