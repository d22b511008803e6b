// A first payment from C#, .NET 8 or later, with nothing but its own library: mutual TLS, a token, signed requests, verified
// answers. Put it in place of the Program.cs of "dotnet new console"; from .NET 10 on, "dotnet run FirstPayment.cs" is enough.
// usage: dotnet run [KIT]        (a kit's folder or its JSON file; default .assay/kit/demo-merchant)
#nullable disable
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

public class FirstPayment
{
    static string folder, token;
    static JsonElement kit;
    static JsonElement[] keys;
    static ECDsa signingKey;
    static HttpClient api, plain = new HttpClient();

    public static int Main(string[] arguments)
    {
        try
        {
            Pay(arguments.Length > 0 ? arguments[0] : ".assay/kit/demo-merchant");
            return 0;
        }
        catch (Exception error) when (error is Refusal || error is HttpRequestException)
        {
            Console.Error.WriteLine(error.Message + (error.InnerException == null ? "" : " " + error.InnerException.Message));
            return 1;
        }
    }

    static void Pay(string path)
    {
        string file = Directory.Exists(path) ? Path.Combine(path, "kit.json") : path;
        folder = Path.GetDirectoryName(Path.GetFullPath(file));
        if (!File.Exists(file)) throw new Refusal(file + " is no kit: start the sandbox, which writes one into .assay/kit/demo-merchant, or name another.");
        kit = Parse(File.ReadAllText(file), file);
        signingKey = ECDsa.Create();
        try
        {
            signingKey.ImportFromPem(Pem(kit.GetProperty("signingKeys")[0], "privateKey"));
            api = new HttpClient(MutualTls());
        }
        catch (Exception error) when (error is ArgumentException || error is CryptographicException)
        {
            throw new Refusal("The keys of the kit cannot be used: " + error.GetType().Name);
        }
        string set = api.GetStringAsync(Text(kit, "jwksUrl")).GetAwaiter().GetResult();
        keys = Parse(set, "The key set").GetProperty("keys").EnumerateArray().ToArray();

        token = Text(Call("POST", "/auth/token", "application/x-www-form-urlencoded",
            "grant_type=client_credentials&client_id=" + Text(kit, "clientId") + "&scope=payments:process"), "access_token");

        string code = Text(Control("/blik/codes", new { }), "code");
        Console.WriteLine("The shopper's phone shows the BLIK code " + code + ".");

        string account = kit.GetProperty("processingAccountIds")[0].GetString();
        JsonElement payment = Post("/payments/initiate", new
        {
            processingAccountId = account,
            clientTransactionId = "first-payment",
            transactionType = "ONE_TIME",
            paymentDetails = new { amount = 1999, currency = "PLN", country = "PL", description = "A first payment" },
            providerDetails = new { providerId = "BLIK" },
            payerDetails = new { oneTimeCode = code },
        });
        string transaction = Text(payment, "transactionId");
        Console.WriteLine("Payment " + transaction + " is " + Text(payment, "status") + ": " + Text(payment, "statusInfo", "message") + ".");

        Control("/payments/" + transaction + "/shopper", new { action = "approve" });
        Console.WriteLine("The shopper approved on the phone.");

        JsonElement finalized = Post("/payments/finalize", new { processingAccountId = account, transactionId = transaction });
        Console.WriteLine("Finalized: " + Text(finalized, "status") + ", " + Text(finalized, "statusInfo", "message") + ".");

        Control("/clock", new { advance = "PT2S" });
        string state = Text(Call("GET", "/payments/" + transaction + "/status", "", ""), "lifecycle", "state");
        Console.WriteLine("Now it is " + state + ". The service signed every answer.");
    }

    /// <summary>Signs a request as clause 5.2 says, sends it, and gives the answer's JSON; a refusal ends the program.</summary>
    static JsonElement Call(string method, string path, string type, string text)
    {
        var address = new Uri(Text(kit, "apiBaseUrl") + path);
        byte[] body = Encoding.UTF8.GetBytes(text);
        var request = new HttpRequestMessage(new HttpMethod(method), address);
        var covered = new List<KeyValuePair<string, string>>
        {
            Pair("@authority", address.Host), Pair("@method", method), Pair("@request-target", path),
        };
        if (body.Length > 0)
        {
            string digest = Digest("sha-256", body);
            covered.AddRange(new[] { Pair("content-digest", digest), Pair("content-type", type), Pair("content-length", body.Length.ToString()) });
            request.Content = new ByteArrayContent(body);
            request.Content.Headers.TryAddWithoutValidation("Content-Type", type);
            request.Headers.TryAddWithoutValidation("Content-Digest", digest);
            if (token != null) request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());
        }
        if (token != null) request.Headers.Add("Authorization", "Bearer " + token);
        string names = string.Join(" ", covered.Select(line => "\"" + line.Key + "\""));
        string keyId = Text(kit.GetProperty("signingKeys")[0], "keyId");
        string input = "service_sig=(" + names + ");keyid=\"" + keyId + "\";created=" + DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        byte[] signature = signingKey.SignData(Base(covered, input), HashAlgorithmName.SHA256, DSASignatureFormat.Rfc3279DerSequence);
        request.Headers.TryAddWithoutValidation("Signature-Input", input);
        request.Headers.TryAddWithoutValidation("Signature", "service_sig=:" + Convert.ToBase64String(signature) + ":");
        HttpResponseMessage answer = api.SendAsync(request).GetAwaiter().GetResult();
        byte[] content = answer.Content.ReadAsByteArrayAsync().Result;
        JsonElement told = Parse(Encoding.UTF8.GetString(content), "The answer");
        if ((int)answer.StatusCode >= 400) throw new Refusal("Refused: " + Text(told, "statusInfo", "message"));
        if (!IsVerified(answer, content)) throw new Refusal("The answer to " + method + " " + path + " is not signed by the service.");
        return told;
    }

    static KeyValuePair<string, string> Pair(string name, string value)
    {
        return new KeyValuePair<string, string>(name, value);
    }

    /// <summary>The text that is signed (5.2): each component with its value, and the parameters.</summary>
    static byte[] Base(IEnumerable<KeyValuePair<string, string>> lines, string parameters)
    {
        string text = string.Concat(lines.Select(line => "\"" + line.Key + "\": " + line.Value + "\n"));
        return Encoding.UTF8.GetBytes(text + "\"@signature-params\": " + parameters);
    }

    /// <summary>Whether the service signed the status and the body of an answer (5.4).</summary>
    static bool IsVerified(HttpResponseMessage answer, byte[] body)
    {
        var values = new Dictionary<string, string> { { "@status", ((int)answer.StatusCode).ToString() } };
        foreach (var header in answer.Headers.Concat(answer.Content.Headers)) values[header.Key.ToLowerInvariant()] = header.Value.First();
        string type = values.ContainsKey("content-type") ? values["content-type"] : "";
        values["content-type"] = type.Split(';')[0].Trim().ToLowerInvariant();
        string input = values.ContainsKey("signature-input") ? values["signature-input"] : "";
        JsonElement key = keys.FirstOrDefault(one => input.Contains("keyid=\"" + Text(one, "kid") + "\""));
        return key.ValueKind == JsonValueKind.Object && input.Contains("\"@status\"") && input.Contains("\"content-digest\"")
            && IsDigest(values["content-digest"], body) && IsSigned(values, input, values["signature"], key);
    }

    /// <summary>Whether a key signed these components; the parameters stand with their label, or without as in RFC 9421.</summary>
    public static bool IsSigned(Dictionary<string, string> values, string input, string signature, JsonElement jwk)
    {
        string parameters = input.Substring(input.IndexOf('=') + 1), curve = Text(jwk, "crv");
        var lines = Regex.Matches(parameters.Split(')')[0], "\"([^\"]*)\"").Cast<Match>()
            .Select(name => Pair(name.Groups[1].Value, values[name.Groups[1].Value])).ToArray();
        byte[] octets = Convert.FromBase64String(signature.Substring(signature.IndexOf('=') + 1).Trim(':'));
        var hash = new HashAlgorithmName("SHA" + (curve == "P-521" ? "512" : curve.Substring(2)));
        byte[] x = Coordinate(jwk, "x"), y = Coordinate(jwk, "y");
        var named = curve == "P-256" ? ECCurve.NamedCurves.nistP256 : curve == "P-384" ? ECCurve.NamedCurves.nistP384 : ECCurve.NamedCurves.nistP521;
        var key = ECDsa.Create(new ECParameters { Curve = named, Q = new ECPoint { X = x, Y = y } });
        var format = octets.Length == 2 * x.Length // r and s, one after the other, as in RFC 9421; else DER
            ? DSASignatureFormat.IeeeP1363FixedFieldConcatenation : DSASignatureFormat.Rfc3279DerSequence;
        return new[] { input, parameters }.Any(last => key.VerifyData(Base(lines, last), octets, hash, format));
    }

    static byte[] Coordinate(JsonElement jwk, string name)
    {
        string text = Text(jwk, name).Replace('-', '+').Replace('_', '/');
        return Convert.FromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='));
    }

    static string Digest(string name, byte[] body)
    {
        byte[] hash = name == "sha-256" ? SHA256.HashData(body) : name == "sha-384" ? SHA384.HashData(body) : SHA512.HashData(body);
        return name + "=:" + Convert.ToBase64String(hash) + ":";
    }

    public static bool IsDigest(string field, byte[] body)
    {
        var known = new[] { Digest("sha-256", body), Digest("sha-384", body), Digest("sha-512", body) };
        return field.Split(',').All(one => known.Contains(one.Trim()));
    }

    static JsonElement Post(string path, object content)
    {
        return Call("POST", path, "application/json", JsonSerializer.Serialize(content));
    }

    static JsonElement Control(string path, object content)
    {
        string pages = Environment.GetEnvironmentVariable("ASSAY_URL"); // a kit may name the address for browsers
        if (string.IsNullOrEmpty(pages)) pages = Text(kit, "pagesBaseUrl");
        pages = pages.TrimEnd('/');
        string address = pages + "/control/organizations/" + Text(kit, "organizationId") + path;
        var request = new HttpRequestMessage(HttpMethod.Post, address) { Content = new StringContent(JsonSerializer.Serialize(content)) };
        request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + Environment.GetEnvironmentVariable("ASSAY_CONTROL_TOKEN"));
        HttpResponseMessage answer;
        try
        {
            answer = plain.SendAsync(request).GetAwaiter().GetResult();
        }
        catch (HttpRequestException)
        {
            throw new Refusal("Control does not respond at " + pages + ": let ASSAY_URL name the pages of the sandbox.");
        }
        var body = Parse(answer.Content.ReadAsStringAsync().Result, "The answer of control");
        if (!answer.IsSuccessStatusCode) throw new Refusal("Control refused " + path + ": " + Text(body, "error"));
        return body;
    }

    static SocketsHttpHandler MutualTls()
    {
        var own = X509Certificate2.CreateFromPem(Pem(kit, "certificate"), Pem(kit, "privateKey"));
#pragma warning disable SYSLIB0057
        if (OperatingSystem.IsWindows()) own = new X509Certificate2(own.Export(X509ContentType.Pkcs12)); // its TLS wants a key like that
#pragma warning restore SYSLIB0057
        var trust = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        trust.CustomTrustStore.Add(X509Certificate2.CreateFromPem(Pem(kit, "ca")));
        var options = new SslClientAuthenticationOptions { CertificateChainPolicy = trust };
        options.LocalCertificateSelectionCallback = (sender, host, certificates, remote, issuers) => own;
        return new SocketsHttpHandler { SslOptions = options };
    }

    /// <summary>A PEM text of the kit, which may be in a file beside it. No error shows the value: it may be a key.</summary>
    static string Pem(JsonElement holder, string name)
    {
        string value = Text(holder, name);
        try
        {
            return value.Contains("-----BEGIN") ? value : File.ReadAllText(Path.Combine(folder, value));
        }
        catch (Exception error) when (error is IOException || error is ArgumentException || error is UnauthorizedAccessException)
        {
            throw new Refusal("The " + name + " of the kit is neither PEM nor a file that can be read.");
        }
    }

    static JsonElement Parse(string json, string what)
    {
        try
        {
            return JsonDocument.Parse(json).RootElement;
        }
        catch (JsonException)
        {
            throw new Refusal(what + " is not JSON.");
        }
    }

    static string Text(JsonElement json, params string[] names)
    {
        foreach (string name in names) json = json.GetProperty(name);
        return json.GetString();
    }

    class Refusal : Exception
    {
        public Refusal(string sentence) : base(sentence) { }
    }
}
