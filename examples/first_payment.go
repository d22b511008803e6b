// A first payment from Go, version 1.19 or later, with nothing but its standard library: mutual TLS, a token, signed requests,
// verified answers.
// usage: go run examples/first_payment.go [KIT]        (a kit's folder or its JSON file; default .assay/kit/demo-merchant)
package main

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

type jwk struct{ Kid, Crv, X, Y string }

type object = map[string]any

type merchant struct {
	ApiBaseUrl, PagesBaseUrl, JwksUrl, OrganizationId, ClientId, Ca, Certificate, PrivateKey string
	ProcessingAccountIds                                                                     []string
	SigningKeys                                                                              []struct{ KeyId, PrivateKey string }

	folder, token string
	key           *ecdsa.PrivateKey
	keys          []jwk
	client        *http.Client
}

var curves = map[string]struct {
	elliptic.Curve
	crypto.Hash
}{"P-256": {elliptic.P256(), crypto.SHA256}, "P-384": {elliptic.P384(), crypto.SHA384}, "P-521": {elliptic.P521(), crypto.SHA512}}

func hashed(hash crypto.Hash, octets []byte) []byte {
	digest := hash.New()
	digest.Write(octets)
	return digest.Sum(nil)
}

// signatureBase returns the text that is signed (5.2): each component with its value, and the parameters.
func signatureBase(lines [][2]string, parameters string) []byte {
	text := ""
	for _, line := range lines {
		text += fmt.Sprintf("%q: %s\n", line[0], line[1])
	}
	return []byte(text + `"@signature-params": ` + parameters)
}

// isSigned tells whether a key signed these components; the parameters stand with their label, or without as in RFC 9421.
func isSigned(value func(string) string, input, signature string, key jwk) bool {
	_, parameters, _ := strings.Cut(input, "=")
	list, _, _ := strings.Cut(parameters, ")")
	lines := [][2]string{}
	for _, name := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(list, -1) {
		lines = append(lines, [2]string{name[1], value(name[1])})
	}
	curve := curves[key.Crv]
	number := func(octets []byte) *big.Int { return new(big.Int).SetBytes(octets) }
	x, _ := base64.RawURLEncoding.DecodeString(key.X)
	y, _ := base64.RawURLEncoding.DecodeString(key.Y)
	public := &ecdsa.PublicKey{Curve: curve, X: number(x), Y: number(y)}
	_, encoded, _ := strings.Cut(signature, "=")
	octets, _ := base64.StdEncoding.DecodeString(strings.Trim(encoded, ":"))
	size := (curve.Params().BitSize + 7) / 8
	verifies := func(last string) bool {
		digest := hashed(curve.Hash, signatureBase(lines, last))
		if len(octets) == 2*size { // r and s, one after the other, as in RFC 9421; else DER
			return ecdsa.Verify(public, digest, number(octets[:size]), number(octets[size:]))
		}
		return ecdsa.VerifyASN1(public, digest, octets)
	}
	return verifies(input) || verifies(parameters)
}

func digestOf(hash crypto.Hash, body []byte) string {
	return fmt.Sprintf("sha-%d=:%s:", hash.Size()*8, base64.StdEncoding.EncodeToString(hashed(hash, body)))
}

func isDigest(field string, body []byte) bool {
	known := map[string]bool{digestOf(crypto.SHA256, body): true, digestOf(crypto.SHA384, body): true, digestOf(crypto.SHA512, body): true}
	for _, one := range strings.Split(field, ",") {
		if !known[strings.TrimSpace(one)] {
			return false
		}
	}
	return true
}

func newMerchant(path string) *merchant {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "kit.json")
	}
	text, err := os.ReadFile(path)
	m := &merchant{folder: filepath.Dir(path)}
	if err != nil || json.Unmarshal(text, m) != nil || len(m.SigningKeys) == 0 {
		log.Fatalf("%s is no kit: start the sandbox, which writes one into .assay/kit/demo-merchant, or name another.", path)
	}
	block, _ := pem.Decode(m.pem("signing key", m.SigningKeys[0].PrivateKey))
	if block == nil {
		log.Fatal("The signing key of the kit is no PEM.")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	m.key, _ = key.(*ecdsa.PrivateKey)
	own, failed := tls.X509KeyPair(m.pem("certificate", m.Certificate), m.pem("private key", m.PrivateKey))
	if m.key == nil || failed != nil {
		log.Fatalf("The keys of the kit cannot be used: %v", []error{err, failed})
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(m.pem("ca", m.Ca))
	config := &tls.Config{Certificates: []tls.Certificate{own}, RootCAs: trusted}
	m.client = &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	var set struct{ Keys []jwk }
	_, body := m.send("GET", m.JwksUrl, nil, nil)
	json.Unmarshal(body, &set)
	m.keys = set.Keys
	return m
}

// pem returns a PEM text of the kit, which may be in a file beside it. No error shows the value: it may be a key.
func (m *merchant) pem(what, value string) []byte {
	if strings.Contains(value, "-----BEGIN") {
		return []byte(value)
	}
	text, err := os.ReadFile(filepath.Join(m.folder, value))
	if err != nil {
		log.Fatalf("The %s of the kit is neither PEM nor a file that can be read.", what)
	}
	return text
}

func (m *merchant) send(method, address string, headers map[string]string, body []byte) (*http.Response, []byte) {
	request, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := m.client.Do(request)
	if err != nil && strings.HasPrefix(address, m.pages()+"/control/") {
		log.Fatalf("Control does not respond at %s: let ASSAY_URL name the pages of the sandbox.", m.pages())
	}
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	content, _ := io.ReadAll(answer.Body)
	return answer, content
}

// call signs a request as clause 5.2 says, sends it, and returns the answer's JSON; a refusal ends the program.
func (m *merchant) call(method, path, contentType string, body []byte) (content object) {
	address, _ := url.Parse(m.ApiBaseUrl + path)
	lines := [][2]string{{"@authority", address.Hostname()}, {"@method", method}, {"@request-target", path}}
	headers := map[string]string{}
	if body != nil {
		headers["Content-Type"], headers["Content-Digest"] = contentType, digestOf(crypto.SHA256, body)
		lines = append(lines, [][2]string{{"content-digest", headers["Content-Digest"]}, {"content-type", contentType},
			{"content-length", fmt.Sprint(len(body))}}...)
	}
	if m.token != "" {
		headers["Authorization"] = "Bearer " + m.token
		if body != nil {
			key := make([]byte, 16)
			rand.Read(key)
			headers["Idempotency-Key"] = fmt.Sprintf("%x", key)
		}
	}
	names := []string{}
	for _, line := range lines {
		names = append(names, fmt.Sprintf("%q", line[0]))
	}
	input := fmt.Sprintf("service_sig=(%s);keyid=%q;created=%d", strings.Join(names, " "), m.SigningKeys[0].KeyId, time.Now().Unix())
	signature, _ := ecdsa.SignASN1(rand.Reader, m.key, hashed(crypto.SHA256, signatureBase(lines, input)))
	headers["Signature-Input"], headers["Signature"] = input, "service_sig=:"+base64.StdEncoding.EncodeToString(signature)+":"
	answer, octets := m.send(method, address.String(), headers, body)
	json.Unmarshal(octets, &content)
	if answer.StatusCode >= 400 {
		log.Fatalf("Refused: %v", at(content, "statusInfo", "message"))
	}
	if !m.isVerified(answer, octets) {
		log.Fatalf("The answer to %s %s is not signed by the service.", method, path)
	}
	return content
}

// isVerified tells whether the service signed the status and the body of an answer (5.4).
func (m *merchant) isVerified(answer *http.Response, body []byte) bool {
	input := answer.Header.Get("Signature-Input")
	value := func(name string) string {
		if name == "@status" {
			return fmt.Sprint(answer.StatusCode)
		}
		if media, _, err := mime.ParseMediaType(answer.Header.Get(name)); name == "content-type" && err == nil {
			return media
		}
		return answer.Header.Get(name)
	}
	covers := strings.Contains(input, `"@status"`) && strings.Contains(input, `"content-digest"`)
	for _, key := range m.keys {
		if covers && strings.Contains(input, fmt.Sprintf("keyid=%q", key.Kid)) {
			return isDigest(value("Content-Digest"), body) && isSigned(value, input, value("Signature"), key)
		}
	}
	return false
}

func (m *merchant) post(path string, content object) object {
	body, _ := json.Marshal(content)
	return m.call("POST", path, "application/json", body)
}

// pages returns the address of control: a kit may name the one for browsers.
func (m *merchant) pages() string {
	if named := os.Getenv("ASSAY_URL"); named != "" {
		return strings.TrimSuffix(named, "/")
	}
	return strings.TrimSuffix(m.PagesBaseUrl, "/")
}

func (m *merchant) control(path string, content object) (answer object) {
	body, _ := json.Marshal(content)
	headers := map[string]string{"Authorization": "Bearer " + os.Getenv("ASSAY_CONTROL_TOKEN")}
	_, octets := m.send("POST", m.pages()+"/control/organizations/"+m.OrganizationId+path, headers, body)
	json.Unmarshal(octets, &answer)
	if answer["error"] != nil {
		log.Fatalf("Control refused %s: %v", path, answer["error"])
	}
	return answer
}

// at returns a member of members.
func at(content any, names ...string) any {
	for _, name := range names {
		members, _ := content.(object)
		content = members[name]
	}
	return content
}

func main() {
	log.SetFlags(0)
	m := newMerchant(append(os.Args, ".assay/kit/demo-merchant")[1])
	account := m.ProcessingAccountIds[0]
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {m.ClientId}, "scope": {"payments:process"}}
	m.token = m.call("POST", "/auth/token", "application/x-www-form-urlencoded", []byte(form.Encode()))["access_token"].(string)

	code := m.control("/blik/codes", object{})["code"]
	fmt.Printf("The shopper's phone shows the BLIK code %v.\n", code)

	payment := m.post("/payments/initiate", object{
		"processingAccountId": account, "clientTransactionId": "first-payment", "transactionType": "ONE_TIME",
		"paymentDetails":  object{"amount": 1999, "currency": "PLN", "country": "PL", "description": "A first payment"},
		"providerDetails": object{"providerId": "BLIK"}, "payerDetails": object{"oneTimeCode": code},
	})
	transaction := payment["transactionId"].(string)
	fmt.Printf("Payment %s is %v: %v.\n", transaction, payment["status"], at(payment, "statusInfo", "message"))

	m.control("/payments/"+transaction+"/shopper", object{"action": "approve"})
	fmt.Println("The shopper approved on the phone.")

	finalized := m.post("/payments/finalize", object{"processingAccountId": account, "transactionId": transaction})
	fmt.Printf("Finalized: %v, %v.\n", finalized["status"], at(finalized, "statusInfo", "message"))

	m.control("/clock", object{"advance": "PT2S"})
	state := at(m.call("GET", "/payments/"+transaction+"/status", "", nil), "lifecycle", "state")
	fmt.Printf("Now it is %v. The service signed every answer.\n", state)
}
