// A first payment from Java, version 17 or later, with nothing but the JDK: mutual TLS, a token, signed requests, verified answers.
// usage: java examples/FirstPayment.java [KIT]        (a kit's folder or its JSON file; default .assay/kit/demo-merchant)

import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

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
    kit = Files.readString(file);
    signingKeys = kit.substring(kit.indexOf("\"signingKeys\""));
    signingKey = privateKey(pem(signingKeys, "privateKey"));
    api = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(mutualTls()).build();
    keys = List.of(api.send(HttpRequest.newBuilder(URI.create(member(kit, "jwksUrl"))).build(), BodyHandlers.ofString()).body().split("\\},"));

    token = member(call("POST", "/auth/token", "application/x-www-form-urlencoded",
        "grant_type=client_credentials&client_id=" + member(kit, "clientId") + "&scope=payments:process"), "access_token");

    String code = member(control("/blik/codes", "{}"), "code");
    System.out.println("The shopper's phone shows the BLIK code " + code + ".");

    String account = Pattern.compile("\"processingAccountIds\":\\s*\\[\\s*\"([^\"]+)").matcher(kit).results()
        .findFirst().orElseThrow().group(1);
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
    String input = covered.keySet().stream().map(name -> '"' + name + '"').collect(Collectors.joining(" ", "service_sig=(", ")"))
        + ";keyid=\"" + member(signingKeys, "keyId") + "\";created=" + Instant.now().getEpochSecond();
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(signingKey);
    signature.update(base(covered.keySet(), covered::get, input));
    request.header("Signature-Input", input).header("Signature", "service_sig=:" + base64(signature.sign()) + ":")
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
      if (!method.equals("GET")) request.header("Idempotency-Key", UUID.randomUUID().toString());
    }
    var answer = api.send(request.build(), BodyHandlers.ofByteArray());
    String content = new String(answer.body(), "UTF-8");
    if (answer.statusCode() >= 400) fail("Refused: " + member(content, "message"));
    if (!isVerified(answer)) fail("The answer to " + method + " " + path + " is not signed by the service.");
    return content;
  }

  /** The text that is signed (5.2): each component with its value, and the parameters. */
  static byte[] base(Iterable<String> names, UnaryOperator<String> value, String parameters) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name : names) text.append('"').append(name).append("\": ").append(value.apply(name)).append('\n');
    return text.append("\"@signature-params\": ").append(parameters).toString().getBytes("UTF-8");
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
    String curve = member(jwk, "crv");
    String parameters = input.substring(input.indexOf('=') + 1);
    List<String> names = Pattern.compile("\"([^\"]*)\"").matcher(parameters.split("\\)")[0]).results().map(name -> name.group(1)).toList();
    byte[] octets = Base64.getDecoder().decode(signature.substring(signature.indexOf('=') + 1).replace(":", ""));
    int half = curve.equals("P-256") ? 32 : curve.equals("P-384") ? 48 : 66;
    String algorithm = "SHA" + (curve.equals("P-521") ? "512" : curve.substring(2)) + "withECDSA"
        + (octets.length == 2 * half ? "inP1363Format" : ""); // r and s, one after the other, as in RFC 9421; else DER
    for (String last : List.of(input, parameters)) {
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(publicKey(jwk, curve));
      verifier.update(base(names, value, last));
      try {
        if (verifier.verify(octets)) return true;
      } catch (GeneralSecurityException noSignature) {
        return false;
      }
    }
    return false;
  }

  static PublicKey publicKey(String jwk, String curve) throws Exception {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp" + curve.substring(2) + "r1"));
    ECPoint point = new ECPoint(coordinate(jwk, "x"), coordinate(jwk, "y"));
    return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, parameters.getParameterSpec(ECParameterSpec.class)));
  }

  static BigInteger coordinate(String jwk, String name) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(member(jwk, name)));
  }

  static String digest(String name, byte[] body) throws Exception {
    return name + "=:" + base64(MessageDigest.getInstance(name.toUpperCase()).digest(body)) + ":";
  }

  static boolean isDigest(String field, byte[] body) throws Exception {
    List<String> known = List.of(digest("sha-256", body), digest("sha-384", body), digest("sha-512", body));
    return known.containsAll(List.of(field.split(", *")));
  }

  static String control(String path, String body) throws Exception {
    URI address = URI.create(member(kit, "pagesBaseUrl") + "/control/organizations/" + member(kit, "organizationId") + path);
    var request = HttpRequest.newBuilder(address).POST(BodyPublishers.ofString(body))
        .header("Authorization", "Bearer " + System.getenv().getOrDefault("ASSAY_CONTROL_TOKEN", ""));
    return plain.send(request.build(), BodyHandlers.ofString()).body();
  }

  /** The first text member of that name; a real shop uses the JSON library that it has. */
  static String member(String json, String name) {
    var found = Pattern.compile('"' + name + "\":\\s*\"([^\"]*)\"").matcher(json).results().findFirst();
    return found.isPresent() ? found.get().group(1).replace("\\n", "\n") : fail("There is no " + name + ".");
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

  static String base64(byte[] octets) {
    return Base64.getEncoder().encodeToString(octets);
  }

  static SSLContext mutualTls() throws Exception {
    KeyStore own = KeyStore.getInstance("PKCS12"), trusted = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    trusted.load(null, null);
    Certificate[] chain = {certificate(pem(kit, "certificate"))};
    own.setKeyEntry("merchant", privateKey(pem(kit, "privateKey")), new char[0], chain);
    trusted.setCertificateEntry("sandbox", certificate(pem(kit, "ca")));
    KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keyManagers.init(own, new char[0]);
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  static Certificate certificate(String pem) throws Exception {
    return CertificateFactory.getInstance("X.509").generateCertificate(new java.io.ByteArrayInputStream(pem.getBytes("UTF-8")));
  }

  static PrivateKey privateKey(String pem) throws Exception {
    String text = pem.replaceAll("-----[^-]+-----|\\s", "");
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
  }
}
