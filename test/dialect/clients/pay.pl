#!/usr/bin/env perl
# Pays with BLIK, captures and refunds by the client that OpenAPI::Client makes of a printed dialect (snake-case.yaml).
# usage: perl pay.pl OPENAPI_FILE KIT_FOLDER API_URL ORGANIZATION_CONTROL_URL
use strict;
use warnings;
use Crypt::PK::ECC;
use Digest::SHA qw(sha256_base64);
use MIME::Base64 qw(encode_base64);
use Mojo::File qw(path);
use Mojo::JSON qw(decode_json);
use Mojo::URL;
use Mojo::UserAgent;
use OpenAPI::Client;

my ($openapi, $folder, $api, $control) = @ARGV;
my $kit = decode_json path("$folder/kit.json")->slurp;
my $signing = $kit->{signingKeys}[0];
my $key = Crypt::PK::ECC->new("$folder/$signing->{privateKey}");
my $token = '';

# Signs a request as clause 5.2 says, over the bytes that are sent.
sub sign {
  my ($ua, $tx) = @_;
  my $req = $tx->req;
  my $body = $req->body;
  my @lines = (['@authority', $req->url->host], ['@method', uc $req->method], ['@request-target', $req->url->path_query =~ s{^(?!/)}{/}r]);
  if (length $body) {
    $req->headers->header('Content-Digest' => 'sha-256=:' . padded(sha256_base64($body)) . ':');
    $req->headers->content_length(length $body);
    my $type = lc(($req->headers->content_type // '') =~ s/\s*;.*//r);
    push @lines, ['content-digest', $req->headers->header('Content-Digest')], ['content-type', $type], ['content-length', length $body];
  }
  my $parameters = sprintf 'service_sig=(%s);keyid="%s";created=%d', join(' ', map {"\"$_->[0]\""} @lines), $signing->{keyId}, time;
  my $base = join "\n", (map {"\"$_->[0]\": $_->[1]"} @lines), "\"\@signature-params\": $parameters";
  $req->headers->header('Signature-Input' => $parameters);
  $req->headers->header(Signature => 'service_sig=:' . encode_base64($key->sign_message($base, 'SHA256'), '') . ':');
  $req->headers->authorization("Bearer $token") if $token;
}

sub padded { my ($text) = @_; $text . '=' x (-length($text) % 4) }

my $client = OpenAPI::Client->new("file://$openapi", base_url => $api);
for my $ua ($client->ua) {
  $ua->ca("$folder/ca.pem")->cert("$folder/certificate.pem")->key("$folder/private-key.pem");
  $ua->on(start => \&sign);
}
my %form = (grant_type => 'client_credentials', client_id => $kit->{organizationId}, scope => 'payments:read payments:process');
my $issued = $client->ua->post("$api/auth/token", form => \%form);
die 'no token: ' . ($issued->res->body || $issued->error->{message}) if $issued->error;
$token = $issued->res->json->{access_token};

# Calls an operation of the generated client; what it sends and what comes back is validated by the document.
my $calls = 0;
sub call {
  my ($operation, $parameters) = @_;
  my %signed = (
    'Signature' => 'service_sig=:bGF0ZXI=:', # sign puts the right ones
    'Signature-Input' => 'service_sig=("@authority");keyid="k";created=1700000000',
    'Content-Digest' => 'sha-256=:' . padded(sha256_base64('')) . ':',
  );
  my $tx = $client->$operation({%signed, 'Idempotency-Key' => 'perl-' . time . '-' . ++$calls, %$parameters});
  die "$operation: " . ($tx->res->body || $tx->error->{message}) if $tx->error;
  return $tx->res->json;
}

my $shop = Mojo::UserAgent->new;
my $account = $kit->{processingAccountIds}[0];
my $code = $shop->post("$control/blik/codes", json => {})->res->json->{code};
my $begun = call(initiate => {body => {
  processing_account_id => $account, order_ref => 'perl-1', transaction_type => 'ONE_TIME',
  order => {amount => 4999, currency => 'PLN', country => 'PL', description => 'Two tickets', auto_capture => Mojo::JSON->false},
  provider_details => {provider_id => 'BLIK'}, customer => {pin => $code},
}});
my $payment = $begun->{payment_ref};
$shop->post("$control/payments/$payment/shopper", json => {action => 'approve'});
my %on = (processing_account_id => $account, payment_ref => $payment);
my $completed = call(finalize => {body => {%on}});
my $captured = call(capture => {body => {%on, order_ref => 'perl-2', order => {amount => 4999}}});
$shop->post("$control/clock", json => {advance => 'PT1M'});
my $refunded = call(refund => {body => {%on, order_ref => 'perl-3', order => {amount => 1000, description => 'One ticket'}}});
my $history = call(events => {transactionId => $payment});
print join(' ', (map { $_->{status} } $begun, $completed, $captured, $refunded), $history->{lifecycle}{phase}), "\n";
