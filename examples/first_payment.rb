#!/usr/bin/env ruby
# frozen_string_literal: true

# A first payment from Ruby, version 3.0 or later, with nothing but its standard library: mutual TLS, a token, signed requests,
# verified answers.
# usage: ruby examples/first_payment.rb [KIT]        (a kit's folder or its JSON file; default .assay/kit/demo-merchant)
require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'

CURVES = { 'P-256' => ['prime256v1', 32, 'SHA256'], 'P-384' => ['secp384r1', 48, 'SHA384'], 'P-521' => ['secp521r1', 66, 'SHA512'] }.freeze

def encoded(octets) = [octets].pack('m0')

# The text that is signed (5.2): each component with its value, and the parameters.
def signature_base(lines, parameters)
  lines.map { |name, value| "\"#{name}\": #{value}\n" }.join + "\"@signature-params\": #{parameters}"
end

def public_key(jwk)
  curve, size, = CURVES.fetch(jwk['crv'])
  point = "\x04".b + %w[x y].map { |name| jwk[name].tr('-_', '+/').unpack1('m').rjust(size, "\0".b) }.join
  kind = OpenSSL::ASN1::Sequence([OpenSSL::ASN1::ObjectId('id-ecPublicKey'), OpenSSL::ASN1::ObjectId(curve)])
  OpenSSL::PKey::EC.new(OpenSSL::ASN1::Sequence([kind, OpenSSL::ASN1::BitString(point)]).to_der)
end

# Whether a key signed these components; the parameters stand with their label, or without as in RFC 9421.
def signed?(values, signature_input, signature, jwk)
  parameters = signature_input.split('=', 2).last
  lines = parameters.split(')').first.scan(/"([^"]*)"/).flatten.map { |name| [name, values[name]] }
  octets = signature.split('=', 2).last.delete(':').unpack1('m')
  _, size, digest = CURVES.fetch(jwk['crv'])
  if octets.bytesize == 2 * size # r and s, one after the other, as in RFC 9421; else DER
    halves = [octets[0, size], octets[size, size]].map { |half| OpenSSL::ASN1::Integer(OpenSSL::BN.new(half, 2)) }
    octets = OpenSSL::ASN1::Sequence(halves).to_der
  end
  [signature_input, parameters].any? { |last| public_key(jwk).verify(digest, octets, signature_base(lines, last)) }
rescue OpenSSL::PKey::PKeyError
  false
end

def digest?(field, body)
  known = %w[256 384 512].map { |bits| "sha-#{bits}=:#{encoded(OpenSSL::Digest.digest("SHA#{bits}", body))}:" }
  (field.split(/, */) - known).empty?
end

class Merchant
  attr_reader :kit
  attr_writer :token

  def initialize(path)
    @file = File.directory?(path) ? File.join(path, 'kit.json') : path
    @kit = read_kit
    @api = URI(@kit['apiBaseUrl'])
    @signing = @kit['signingKeys'].first
    @key = OpenSSL::PKey.read(pem(@signing, 'privateKey'))
    @connection = connect
    @keys = JSON.parse(@connection.get(URI(@kit['jwksUrl']).path).body)['keys']
  end

  # Signs a request as clause 5.2 says, sends it, and gives the answer's JSON; a refusal ends the program.
  def call(method, path, type = nil, body = nil)
    lines = { '@authority' => @api.hostname, '@method' => method, '@request-target' => path }
    headers = {}
    if body
      headers = { 'Content-Type' => type, 'Content-Digest' => "sha-256=:#{encoded(OpenSSL::Digest.digest('SHA256', body))}:" }
      lines.update('content-digest' => headers['Content-Digest'], 'content-type' => type, 'content-length' => body.bytesize)
      headers['Idempotency-Key'] = SecureRandom.uuid if @token
    end
    given = "service_sig=(#{lines.keys.map(&:inspect).join(' ')});keyid=\"#{@signing['keyId']}\";created=#{Time.now.to_i}"
    headers.update('Signature-Input' => given, 'Signature' => "service_sig=:#{encoded(@key.sign('SHA256', signature_base(lines, given)))}:")
    headers['Authorization'] = "Bearer #{@token}" if @token
    answer = @connection.send_request(method, path, body, headers)
    abort "Refused: #{JSON.parse(answer.body).dig('statusInfo', 'message')}" if answer.code.to_i >= 400
    abort "The answer to #{method} #{path} is not signed by the service." unless verified?(answer)
    JSON.parse(answer.body)
  end

  def post(path, content) = call('POST', path, 'application/json', JSON.generate(content))

  def control(path, content = {})
    pages = [ENV['ASSAY_URL'], @kit['pagesBaseUrl']].find { |one| !one.to_s.empty? }.delete_suffix('/') # a kit may name the address for browsers
    address = URI("#{pages}/control/organizations/#{@kit['organizationId']}#{path}")
    answer = JSON.parse(Net::HTTP.post(address, JSON.generate(content), 'Authorization' => "Bearer #{ENV['ASSAY_CONTROL_TOKEN']}").body)
    abort "Control refused #{path}: #{answer['error']}" if answer['error']
    answer
  rescue SystemCallError, SocketError, Net::OpenTimeout
    abort "Control does not respond at #{pages}: let ASSAY_URL name the pages of the sandbox."
  end

  private

  # Whether the service signed the status and the body of an answer (5.4).
  def verified?(answer)
    given = answer['Signature-Input'].to_s
    key = @keys.find { |one| given.include?("keyid=\"#{one['kid']}\"") }
    covers = given.include?('"@status"') && given.include?('"content-digest"')
    values = answer.to_hash.transform_values(&:first).merge('@status' => answer.code, 'content-type' => answer.content_type.to_s.downcase)
    key && covers && digest?(values['content-digest'], answer.body) && signed?(values, given, values['signature'], key)
  end

  def connect
    http = Net::HTTP.new(@api.hostname, @api.port)
    http.use_ssl = true
    http.cert_store = OpenSSL::X509::Store.new.add_cert(OpenSSL::X509::Certificate.new(pem(@kit, 'ca')))
    http.cert = OpenSSL::X509::Certificate.new(pem(@kit, 'certificate'))
    http.key = OpenSSL::PKey.read(pem(@kit, 'privateKey'))
    http.start
  end

  def read_kit
    JSON.parse(File.read(@file))
  rescue JSON::ParserError, SystemCallError # the message of the first shows the text, and so keys
    abort "#{@file} is no kit: start the sandbox, which writes one into .assay/kit/demo-merchant, or name another."
  end

  # A PEM text of the kit, which may be in a file beside it. No error shows the value: it may be a key.
  def pem(holder, name)
    holder[name].include?('-----BEGIN') ? holder[name] : File.read(File.join(File.dirname(@file), holder[name]))
  rescue SystemCallError, ArgumentError
    abort "The #{name} of the kit is neither PEM nor a file that can be read."
  end
end

def main(path)
  merchant = Merchant.new(path)
  account = merchant.kit['processingAccountIds'].first
  form = { grant_type: 'client_credentials', client_id: merchant.kit['clientId'], scope: 'payments:process' }
  type = 'application/x-www-form-urlencoded'
  merchant.token = merchant.call('POST', '/auth/token', type, URI.encode_www_form(form))['access_token']

  code = merchant.control('/blik/codes')['code']
  puts "The shopper's phone shows the BLIK code #{code}."

  payment = merchant.post('/payments/initiate', {
                            processingAccountId: account, clientTransactionId: 'first-payment', transactionType: 'ONE_TIME',
                            paymentDetails: { amount: 1999, currency: 'PLN', country: 'PL', description: 'A first payment' },
                            providerDetails: { providerId: 'BLIK' }, payerDetails: { oneTimeCode: code }
                          })
  transaction = payment['transactionId']
  puts "Payment #{transaction} is #{payment['status']}: #{payment['statusInfo']['message']}."

  merchant.control("/payments/#{transaction}/shopper", { action: 'approve' })
  puts 'The shopper approved on the phone.'

  finalized = merchant.post('/payments/finalize', { processingAccountId: account, transactionId: transaction })
  puts "Finalized: #{finalized['status']}, #{finalized['statusInfo']['message']}."

  merchant.control('/clock', { advance: 'PT2S' })
  state = merchant.call('GET', "/payments/#{transaction}/status")['lifecycle']['state']
  puts "Now it is #{state}. The service signed every answer."
end

main(ARGV.first || '.assay/kit/demo-merchant') if $PROGRAM_NAME == __FILE__
