// A first payment from Java, version 17 or later, with nothing but the JDK: mutual TLS, a token, signed requests.
// usage: java examples/FirstPayment.java [KIT_FOLDER]        (default .assay/kit/demo-merchant)

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

public class FirstPayment {
  static Path folder;
  static String kit, token;
  static PrivateKey signingKey;
  static HttpClient api, plain = HttpClient.newHttpClient();

  public static void main(String[] arguments) throws Exception {
    folder = Path.of(arguments.length > 0 ? arguments[0] : ".assay/kit/demo-merchant");
    kit = Files.readString(folder.resolve("kit.json"));
    signingKey = privateKey(member(kit.substring(kit.indexOf("\"signingKeys\"")), "privateKey"));
    api = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(mutualTls()).build();

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
    System.out.println("Now it is " + state + ".");
  }

  /** Signs a request as clause 5.2 says, sends it, and gives the answer; a refusal ends the program. */
  static String call(String method, String path, String type, String body) throws Exception {
    URI address = URI.create(member(kit, "apiBaseUrl") + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    List<String[]> covered = new ArrayList<>(List.of(new String[] {"@authority", address.getHost()},
        new String[] {"@method", method}, new String[] {"@request-target", path}));
    if (!body.isEmpty()) {
      String digest = "sha-256=:" + base64(MessageDigest.getInstance("SHA-256").digest(body.getBytes("UTF-8"))) + ":";
      covered.addAll(List.of(new String[] {"content-digest", digest}, new String[] {"content-type", type},
          new String[] {"content-length", "" + body.getBytes("UTF-8").length}));
      request.header("Content-Type", type).header("Content-Digest", digest);
    }
    String keyId = member(kit.substring(kit.indexOf("\"signingKeys\"")), "keyId");
    String input = covered.stream().map(line -> '"' + line[0] + '"').collect(Collectors.joining(" ", "(", ")"))
        + ";keyid=\"" + keyId + "\";created=" + Instant.now().getEpochSecond();
    String base = covered.stream().map(line -> '"' + line[0] + "\": " + line[1] + "\n").collect(Collectors.joining())
        + "\"@signature-params\": " + input;
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(signingKey);
    signature.update(base.getBytes("UTF-8"));
    request.header("Signature-Input", "service_sig=" + input)
        .header("Signature", "service_sig=:" + base64(signature.sign()) + ":")
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
      if (!method.equals("GET")) request.header("Idempotency-Key", UUID.randomUUID().toString());
    }
    var answer = api.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() < 400) return answer.body();
    System.err.println("Refused: " + member(answer.body(), "message"));
    System.exit(1);
    return null;
  }

  static String control(String path, String body) throws Exception {
    URI address = URI.create(member(kit, "pagesBaseUrl") + "/control/organizations/" + member(kit, "organizationId") + path);
    return plain.send(HttpRequest.newBuilder(address).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString()).body();
  }

  /** The first text member of that name; a real shop uses the JSON library that it has. */
  static String member(String json, String name) {
    return Pattern.compile('"' + name + "\":\\s*\"([^\"]*)\"").matcher(json).results().findFirst().orElseThrow().group(1);
  }

  static String base64(byte[] octets) {
    return Base64.getEncoder().encodeToString(octets);
  }

  static SSLContext mutualTls() throws Exception {
    KeyStore own = KeyStore.getInstance("PKCS12"), trusted = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    trusted.load(null, null);
    own.setKeyEntry("merchant", privateKey("private-key.pem"), new char[0], new Certificate[] {certificate("certificate.pem")});
    trusted.setCertificateEntry("sandbox", certificate("ca.pem"));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, new char[0]);
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  static Certificate certificate(String file) throws Exception {
    try (var stream = Files.newInputStream(folder.resolve(file))) {
      return CertificateFactory.getInstance("X.509").generateCertificate(stream);
    }
  }

  static PrivateKey privateKey(String file) throws Exception {
    String text = Files.readString(folder.resolve(file)).replaceAll("-----[^-]+-----|\\s", "");
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
  }
}
