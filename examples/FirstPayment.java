// A first payment from Java, version 17 or later, with nothing but the JDK: mutual TLS, a token, signed requests, verified answers.
// usage: java examples/FirstPayment.java [KIT]        (a kit's folder or its JSON file; default .assay/kit/demo-merchant)

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.*;
import java.security.*;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.*;
import java.time.Instant;
import java.util.*;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.*;

public class FirstPayment {
  static Path folder;
  static String kit, signingKeys, token;
  static List<String> keys;
  static PrivateKey signingKey;
  static HttpClient api, plain = HttpClient.newHttpClient();

  public static void main(String[] arguments) throws Exception {
    Path given = Path.of(arguments.length > 0 ? arguments[0] : ".assay/kit/demo-merchant");
    Path file = Files.isDirectory(given) ? given.resolve("kit.json") : given;
    folder = file.toAbsolutePath().getParent();
    kit = Files.isRegularFile(file) ? Files.readString(file) : "";
    if (!kit.contains("\"signingKeys\"")) fail(file + " is no kit: start the sandbox, which writes one into .assay/kit/demo-merchant, or name another.");
    signingKeys = kit.substring(kit.indexOf("\"signingKeys\""));
    signingKey = privateKey(pem(signingKeys, "privateKey"));
    api = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(mutualTls()).build();
    keys = List.of(api.send(HttpRequest.newBuilder(URI.create(member(kit, "jwksUrl"))).build(), BodyHandlers.ofString()).body().split("\\},"));
    token = member(call("POST", "/auth/token", "application/x-www-form-urlencoded",
        "grant_type=client_credentials&client_id=" + member(kit, "clientId") + "&scope=payments:process"), "access_token");

    String code = member(control("/blik/codes", "{}"), "code");
    System.out.println("The shopper's phone shows the BLIK code " + code + ".");

    String account = kit.split("\"processingAccountIds\":\\s*\\[\\s*\"")[1].split("\"")[0];
    String payment = call("POST", "/payments/initiate", "application/json", """
        {"processingAccountId": "%s", "clientTransactionId": "first-payment", "transactionType": "ONE_TIME",
         "paymentDetails": {"amount": 1999, "currency": "PLN", "country": "PL", "description": "A first payment"},
         "providerDetails": {"providerId": "BLIK"}, "payerDetails": {"oneTimeCode": "%s"}}""".formatted(account, code));
    String transaction = member(payment, "transactionId");
    System.out.println("Payment " + transaction + " is " + member(payment, "status") + ": " + member(payment, "message") + ".");

    control("/payments/" + transaction + "/shopper", "{\"action\": \"approve\"}");
    System.out.println("The shopper approved on the phone.");

    String finalized = call("POST", "/payments/finalize", "application/json",
        "{\"processingAccountId\": \"%s\", \"transactionId\": \"%s\"}".formatted(account, transaction));
    System.out.println("Finalized: " + member(finalized, "status") + ", " + member(finalized, "message") + ".");

    control("/clock", "{\"advance\": \"PT2S\"}");
    String state = member(call("GET", "/payments/" + transaction + "/status", "", ""), "state");
    System.out.println("Now it is " + state + ". The service signed every answer.");
  }

  /** Signs a request as clause 5.2 says, sends it, and gives the answer; a refusal ends the program. */
  static String call(String method, String path, String type, String body) throws Exception {
    URI address = URI.create(member(kit, "apiBaseUrl") + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    Map<String, String> covered = new LinkedHashMap<>();
    covered.put("@authority", address.getHost());
    covered.put("@method", method);
    covered.put("@request-target", path);
    if (!body.isEmpty()) {
      covered.put("content-digest", digest("sha-256", body.getBytes("UTF-8")));
      covered.put("content-type", type);
      covered.put("content-length", "" + body.getBytes("UTF-8").length);
      request.header("Content-Type", type).header("Content-Digest", covered.get("content-digest"));
    }
    if (token != null) request.header("Authorization", "Bearer " + token);
    if (token != null && !body.isEmpty()) request.header("Idempotency-Key", UUID.randomUUID().toString());
    String input = covered.keySet().stream().map(name -> '"' + name + '"').collect(Collectors.joining(" ", "service_sig=(", ")"))
        + ";keyid=\"" + member(signingKeys, "keyId") + "\";created=" + Instant.now().getEpochSecond();
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(signingKey);
    signature.update(base(covered.keySet(), covered::get, input));
    request.header("Signature-Input", input)
        .header("Signature", "service_sig=:" + Base64.getEncoder().encodeToString(signature.sign()) + ":")
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    var answer = api.send(request.build(), BodyHandlers.ofByteArray());
    String content = new String(answer.body(), "UTF-8");
    if (answer.statusCode() >= 400) fail("Refused: " + member(content, "message"));
    if (!isVerified(answer)) fail("The answer to " + method + " " + path + " is not signed by the service.");
    return content;
  }

  /** The text that is signed (5.2): each component with its value, and the parameters. */
  static byte[] base(Collection<String> names, UnaryOperator<String> value, String parameters) throws IOException {
    String lines = names.stream().map(name -> '"' + name + "\": " + value.apply(name) + "\n").collect(Collectors.joining());
    return (lines + "\"@signature-params\": " + parameters).getBytes("UTF-8");
  }

  /** Whether the service signed the status and the body of an answer (5.4). */
  static boolean isVerified(HttpResponse<byte[]> answer) throws Exception {
    UnaryOperator<String> header = name -> answer.headers().firstValue(name).orElse("");
    UnaryOperator<String> value = name -> name.equals("@status") ? "" + answer.statusCode()
        : name.equals("content-type") ? header.apply(name).split(";")[0].strip().toLowerCase() : header.apply(name);
    String input = value.apply("signature-input");
    boolean covers = input.contains("\"@status\"") && input.contains("\"content-digest\"");
    for (String key : keys)
      if (covers && input.contains("keyid=\"" + member(key, "kid") + '"'))
        return isDigest(value.apply("content-digest"), answer.body()) && isSigned(value, input, value.apply("signature"), key);
    return false;
  }

  /** Whether a key signed these components; the parameters stand with their label, or without as in RFC 9421. */
  static boolean isSigned(UnaryOperator<String> value, String input, String signature, String jwk) throws Exception {
    String curve = member(jwk, "crv"), parameters = input.substring(input.indexOf('=') + 1);
    var names = Pattern.compile("\"([^\"]*)\"").matcher(parameters.split("\\)")[0]).results().map(name -> name.group(1)).toList();
    byte[] octets = Base64.getDecoder().decode(signature.substring(signature.indexOf('=') + 1).replace(":", ""));
    int half = curve.equals("P-256") ? 32 : curve.equals("P-384") ? 48 : 66;
    Signature verifier = Signature.getInstance("SHA" + (curve.equals("P-521") ? "512" : curve.substring(2)) + "withECDSA"
        + (octets.length == 2 * half ? "inP1363Format" : "")); // r and s, one after the other, as in RFC 9421; else DER
    for (String last : List.of(input, parameters)) {
      verifier.initVerify(publicKey(jwk, curve));
      verifier.update(base(names, value, last));
      try {
        if (verifier.verify(octets)) return true;
      } catch (SignatureException noSignature) {
        return false;
      }
    }
    return false;
  }

  static PublicKey publicKey(String jwk, String curve) throws Exception {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp" + curve.substring(2) + "r1"));
    var numbers = List.of("x", "y").stream().map(name -> new BigInteger(1, Base64.getUrlDecoder().decode(member(jwk, name)))).toList();
    var point = new ECPublicKeySpec(new ECPoint(numbers.get(0), numbers.get(1)), parameters.getParameterSpec(ECParameterSpec.class));
    return KeyFactory.getInstance("EC").generatePublic(point);
  }

  static String digest(String name, byte[] body) throws Exception {
    return name + "=:" + Base64.getEncoder().encodeToString(MessageDigest.getInstance(name.toUpperCase()).digest(body)) + ":";
  }

  static boolean isDigest(String field, byte[] body) throws Exception {
    return List.of(digest("sha-256", body), digest("sha-384", body), digest("sha-512", body)).containsAll(List.of(field.split(", *")));
  }

  static String control(String path, String body) throws Exception {
    String named = System.getenv().getOrDefault("ASSAY_URL", ""); // a kit may name the address for browsers
    String pages = (named.isEmpty() ? member(kit, "pagesBaseUrl") : named).replaceAll("/$", "");
    URI address = URI.create(pages + "/control/organizations/" + member(kit, "organizationId") + path);
    var request = HttpRequest.newBuilder(address).POST(BodyPublishers.ofString(body))
        .header("Authorization", "Bearer " + System.getenv().getOrDefault("ASSAY_CONTROL_TOKEN", ""));
    try {
      var answer = plain.send(request.build(), BodyHandlers.ofString());
      return answer.statusCode() < 400 ? answer.body() : fail("Control refused " + path + ": " + member(answer.body(), "error"));
    } catch (IOException error) {
      return fail("Control does not respond at " + pages + ": let ASSAY_URL name the pages of the sandbox.");
    }
  }

  /** The first text member of that name; a real shop uses the JSON library that it has. */
  static String member(String json, String name) {
    var found = Pattern.compile('"' + name + "\":\\s*\"([^\"]*)\"").matcher(json);
    return found.find() ? found.group(1).replace("\\n", "\n") : fail("There is no " + name + ".");
  }

  /** A PEM text of the kit, which may be in a file beside it. No error shows the value: it may be a key. */
  static String pem(String json, String name) {
    String value = member(json, name);
    try {
      return value.contains("-----BEGIN") ? value : Files.readString(folder.resolve(value));
    } catch (IOException | RuntimeException error) {
      return fail("The " + name + " of the kit is neither PEM nor a file that can be read.");
    }
  }

  static String fail(String sentence) {
    System.err.println(sentence);
    System.exit(1);
    return null;
  }

  static SSLContext mutualTls() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12"); // the merchant's key with its certificate, and the authority of the sandbox
    store.load(null, null);
    store.setKeyEntry("merchant", privateKey(pem(kit, "privateKey")), new char[0], new Certificate[] {certificate(pem(kit, "certificate"))});
    store.setCertificateEntry("sandbox", certificate(pem(kit, "ca")));
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(store, new char[0]);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(store);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  static Certificate certificate(String pem) throws Exception {
    return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem.getBytes("UTF-8")));
  }

  static PrivateKey privateKey(String pem) throws Exception {
    byte[] octets = Base64.getDecoder().decode(pem.replaceAll("-----[^-]+-----|\\s", ""));
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(octets));
  }
}
