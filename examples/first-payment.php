<?php
// A first payment from PHP, version 8.1 or later, with nothing but its extension openssl: mutual TLS, a token, signed requests,
// verified answers.
// usage: php examples/first-payment.php [KIT]        (a kit's folder or its JSON file; default .assay/kit/demo-merchant)
declare(strict_types=1);

/** Of each curve: its hash, the bytes of a coordinate, and the beginning of a public key as DER. */
const CURVES = [
    'P-256' => ['sha256', 32, '3059301306072a8648ce3d020106082a8648ce3d03010703420004'],
    'P-384' => ['sha384', 48, '3076301006072a8648ce3d020106052b8104002203620004'],
    'P-521' => ['sha512', 66, '30819b301006072a8648ce3d020106052b810400230381860004'],
];

/** The text that is signed (5.2): each component with its value, and the parameters. */
function signatureBase(array $lines, string $parameters): string
{
    $named = array_map(fn ($name, $value) => "\"$name\": $value\n", array_keys($lines), $lines);
    return implode('', $named) . '"@signature-params": ' . $parameters;
}

/** Whether a key signed these components; the parameters stand with their label, or without as in RFC 9421. */
function isSigned(array $values, string $signatureInput, string $signature, array $jwk): bool
{
    [$hash, $size, $prefix] = CURVES[$jwk['crv']];
    $parameters = explode('=', $signatureInput, 2)[1];
    preg_match_all('/"([^"]*)"/', explode(')', $parameters)[0], $names);
    $lines = [];
    foreach ($names[1] as $name) $lines[$name] = $values[$name] ?? '';
    $coordinate = fn ($name) => str_pad(base64_decode(strtr($jwk[$name], '-_', '+/')), $size, "\0", STR_PAD_LEFT);
    $der = base64_encode(hex2bin($prefix) . $coordinate('x') . $coordinate('y'));
    $key = "-----BEGIN PUBLIC KEY-----\n" . chunk_split($der, 64, "\n") . "-----END PUBLIC KEY-----\n";
    $octets = base64_decode(trim(explode('=', $signature, 2)[1], ':'));
    if (strlen($octets) === 2 * $size) $octets = derOf(...str_split($octets, $size)); // as in RFC 9421; else DER
    $verifies = fn ($last) => openssl_verify(signatureBase($lines, $last), $octets, $key, $hash) === 1;
    return $verifies($signatureInput) || $verifies($parameters);
}

/** The DER form of a signature that is r and s, one after the other. */
function derOf(string $r, string $s): string
{
    $number = function (string $half): string {
        $half = ltrim($half, "\0");
        if ($half === '' || ord($half[0]) > 127) $half = "\0" . $half;
        return "\x02" . chr(strlen($half)) . $half;
    };
    $both = $number($r) . $number($s);
    return "\x30" . (strlen($both) > 127 ? "\x81" : '') . chr(strlen($both)) . $both;
}

function digestOf(string $name, string $body): string
{
    return "$name=:" . base64_encode(hash(str_replace('-', '', $name), $body, true)) . ':';
}

function isDigest(string $field, string $body): bool
{
    $known = array_map(fn ($name) => digestOf($name, $body), ['sha-256', 'sha-384', 'sha-512']);
    return array_diff(preg_split('/, */', $field), $known) === [];
}

function fail(string $sentence): never
{
    fwrite(STDERR, "$sentence\n");
    exit(1);
}

class Merchant
{
    public array $kit;
    public ?string $token = null;
    private string $folder;
    private OpenSSLAsymmetricKey $key;
    private array $keys;
    private array $tls;

    public function __construct(string $path)
    {
        $file = is_dir($path) ? "$path/kit.json" : $path;
        $this->folder = dirname($file);
        $this->kit = json_decode((string) @file_get_contents($file), true) ?? fail("$file is no kit: start the sandbox, which writes one into .assay/kit/demo-merchant, or name another.");
        $signingKey = openssl_pkey_get_private($this->pem($this->kit['signingKeys'][0], 'privateKey'));
        $this->key = $signingKey ?: fail('The signing key of the kit is no private key.');
        $files = [];
        register_shutdown_function(function () use (&$files) { array_map('unlink', $files); });
        foreach (['ca' => 'cafile', 'certificate' => 'local_cert', 'privateKey' => 'local_pk'] as $name => $option) {
            $files[$option] = tempnam(sys_get_temp_dir(), 'kit'); // a stream takes them from files only
            file_put_contents($files[$option], $this->pem($this->kit, $name));
        }
        $this->tls = $files;
        $this->keys = json_decode($this->send('GET', $this->kit['jwksUrl'])[2], true)['keys'];
    }

    /** Signs a request as clause 5.2 says, sends it, and gives the answer's JSON; a refusal ends the program. */
    public function call(string $method, string $path, string $type = '', string $body = ''): array
    {
        $address = $this->kit['apiBaseUrl'] . $path;
        $lines = ['@authority' => parse_url($address, PHP_URL_HOST), '@method' => $method, '@request-target' => $path];
        $headers = $this->token === null ? [] : ["Authorization: Bearer $this->token"];
        if ($body !== '') {
            $digest = digestOf('sha-256', $body);
            $lines += ['content-digest' => $digest, 'content-type' => $type, 'content-length' => strlen($body)];
            array_push($headers, "Content-Type: $type", "Content-Digest: $digest");
            if ($this->token !== null) $headers[] = 'Idempotency-Key: ' . bin2hex(random_bytes(16));
        }
        $names = '"' . implode('" "', array_keys($lines)) . '"';
        $input = "service_sig=($names);keyid=\"{$this->kit['signingKeys'][0]['keyId']}\";created=" . time();
        openssl_sign(signatureBase($lines, $input), $signature, $this->key, 'sha256');
        array_push($headers, "Signature-Input: $input", 'Signature: service_sig=:' . base64_encode($signature) . ':');
        [$status, $values, $answer] = $this->send($method, $address, $headers, $body);
        if ($status >= 400) fail('Refused: ' . json_decode($answer, true)['statusInfo']['message']);
        if (!$this->isVerified($values, $answer)) fail("The answer to $method $path is not signed by the service.");
        return json_decode($answer, true);
    }

    public function post(string $path, array $content): array
    {
        return $this->call('POST', $path, 'application/json', json_encode($content));
    }

    public function control(string $path, array $content = []): array
    {
        $pages = rtrim(getenv('ASSAY_URL') ?: $this->kit['pagesBaseUrl'], '/'); // a kit may name the address for browsers
        $address = "$pages/control/organizations/{$this->kit['organizationId']}$path";
        $headers = ['Content-Type: application/json', 'Authorization: Bearer ' . getenv('ASSAY_CONTROL_TOKEN')];
        $unheard = "Control does not respond at $pages: let ASSAY_URL name the pages of the sandbox.";
        $answer = json_decode($this->send('POST', $address, $headers, json_encode((object) $content), $unheard)[2], true);
        return isset($answer['error']) ? fail("Control refused $path: {$answer['error']}") : $answer;
    }

    /** Sends a request; gives the status of the answer, its headers in lower case with the status among them, and its body. */
    private function send(string $method, string $address, array $headers = [], string $body = '', ?string $unheard = null): array
    {
        $http = ['method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'protocol_version' => 1.1];
        $http['header'][] = 'Connection: close';
        $stream = fopen($address, 'r', false, stream_context_create(['http' => $http, 'ssl' => $this->tls]));
        if ($stream === false) fail($unheard ?? "$address cannot be reached.");
        $answer = stream_get_contents($stream);
        $head = stream_get_meta_data($stream)['wrapper_data'];
        $status = explode(' ', $head[0])[1];
        $values = ['@status' => $status];
        foreach (array_slice($head, 1) as $line) {
            [$name, $value] = explode(': ', $line, 2) + [1 => ''];
            $values[strtolower($name)] = $value;
        }
        return [(int) $status, $values, $answer];
    }

    /** Whether the service signed the status and the body of an answer (5.4). */
    private function isVerified(array $values, string $body): bool
    {
        $input = $values['signature-input'] ?? '';
        $covers = str_contains($input, '"@status"') && str_contains($input, '"content-digest"');
        $values['content-type'] = strtolower(trim(explode(';', $values['content-type'] ?? '')[0]));
        foreach ($this->keys as $key)
            if ($covers && str_contains($input, "keyid=\"{$key['kid']}\""))
                return isDigest($values['content-digest'], $body) && isSigned($values, $input, $values['signature'], $key);
        return false;
    }

    /** A PEM text of the kit, which may be in a file beside it. No error shows the value: it may be a key. */
    private function pem(array $holder, string $name): string
    {
        if (str_contains($holder[$name], '-----BEGIN')) return $holder[$name];
        $text = @file_get_contents("$this->folder/{$holder[$name]}");
        return $text === false ? fail("The $name of the kit is neither PEM nor a file that can be read.") : $text;
    }
}

function main(string $path): void
{
    $merchant = new Merchant($path);
    $account = $merchant->kit['processingAccountIds'][0];
    $form = ['grant_type' => 'client_credentials', 'client_id' => $merchant->kit['clientId'], 'scope' => 'payments:process'];
    $merchant->token = $merchant->call('POST', '/auth/token', 'application/x-www-form-urlencoded', http_build_query($form))['access_token'];

    $code = $merchant->control('/blik/codes')['code'];
    echo "The shopper's phone shows the BLIK code $code.\n";

    $payment = $merchant->post('/payments/initiate', [
        'processingAccountId' => $account, 'clientTransactionId' => 'first-payment', 'transactionType' => 'ONE_TIME',
        'paymentDetails' => ['amount' => 1999, 'currency' => 'PLN', 'country' => 'PL', 'description' => 'A first payment'],
        'providerDetails' => ['providerId' => 'BLIK'], 'payerDetails' => ['oneTimeCode' => $code],
    ]);
    $transaction = $payment['transactionId'];
    echo "Payment $transaction is {$payment['status']}: {$payment['statusInfo']['message']}.\n";

    $merchant->control("/payments/$transaction/shopper", ['action' => 'approve']);
    echo "The shopper approved on the phone.\n";

    $finalized = $merchant->post('/payments/finalize', ['processingAccountId' => $account, 'transactionId' => $transaction]);
    echo "Finalized: {$finalized['status']}, {$finalized['statusInfo']['message']}.\n";

    $merchant->control('/clock', ['advance' => 'PT2S']);
    $state = $merchant->call('GET', "/payments/$transaction/status")['lifecycle']['state'];
    echo "Now it is $state. The service signed every answer.\n";
}

if (realpath($argv[0]) === __FILE__) main($argv[1] ?? '.assay/kit/demo-merchant');
