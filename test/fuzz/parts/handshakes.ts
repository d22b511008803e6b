import { createSecureContext } from 'node:tls'
import fc from 'fast-check'
import type { Operator } from '../../../simulator/operator/operator.ts'
import { OperatorError } from '../../../simulator/operator/operator-error.ts'
import { type Message, withHeader } from '../../wire/message.ts'
import { openSandbox, type Sandbox } from '../../wire/sandbox.ts'
import { block } from '../../wire/spoil-pem.ts'
import { talk } from '../../wire/talk.ts'
import { apiFaultOf } from '../api-answer.ts'
import { editedOctets } from '../edited-text.ts'
import type { House } from '../house.ts'
import { oddCertificates } from '../odd-certificates.ts'
import { part } from '../part.ts'

/** A certificate in Latin-1 and its key; it may be told more than once, and followed by a chain of strangers. */
type Input = { key: string; der: string; copies: number; chain: number; fate: 'unknown' | 'registered' | 'revoked' }

const ODD = await oddCertificates()

const input = fc.constantFrom(...ODD).chain(odd => {
  const whole = Buffer.from(odd.der)
  return fc.record({
    key: fc.constant(odd.key),
    der: fc.oneof(
      { weight: 3, arbitrary: fc.constant(whole.toString('latin1')) },
      { weight: 5, arbitrary: editedOctets([whole]) },
      { weight: 1, arbitrary: fc.nat(whole.length).map(length => whole.toString('latin1', 0, length)) },
    ),
    copies: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.constantFrom(2, 60)),
    chain: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constantFrom(1, 12)),
    fate: fc.constantFrom('unknown', 'registered', 'revoked'),
  })
})

/** Certificates of clients at the handshake and in Client-Cert (5.1, RFC 9440): the call is answered, or TLS says no. */
export const handshakes = part<Input>({
  name: 'handshakes',
  sends: 'client certificates at TLS handshakes and in Client-Cert: odd, damaged, cut short, chains',
  inputs: input,
  covers: [
    'simulator/http/{presented-certificate,trust,listen}.ts',
    'simulator/http/layers/require-certificate.ts',
    'simulator/operator/certificate-registry.ts',
  ],
  few: 25,
  open: async house => {
    const [direct, proxied] = [await house.guarded(), await behindProxy(house)]
    return async ({ key, der, copies, chain, fate }) => {
      const bytes = Buffer.from(der, 'latin1')
      const pem = block('CERTIFICATE', bytes)
      for (const { simulator } of [direct, proxied]) await meet(fate, simulator.operator, pem)
      const chained =
        pem.repeat(copies) +
        ODD.slice(0, chain)
          .map(({ der }) => block('CERTIFICATE', der))
          .join('')
      const told = `:${bytes.toString('base64')}:`
      return (
        (await shaken(direct, { certificate: chained, privateKey: key })) ??
        (await answered(proxied, message => withHeader(message, 'Client-Cert', ...Array(copies).fill(told))))
      )
    }
  },
})

const behindProxy = async (house: House): Promise<Sandbox> => {
  const sandbox = await openSandbox({ config: { clientCertFrom: ['127.0.0.1'] }, throughProxy: true })
  house.onClose(sandbox.close)
  return sandbox
}

/** What is to become of it before it is shown. */
const meet = async (fate: Input['fate'], { certificates }: Operator, pem: string): Promise<void> => {
  if (fate === 'unknown') return
  try {
    const { fingerprint } = await certificates.register('other-merchant', pem)
    if (fate === 'revoked') await certificates.revoke('other-merchant', fingerprint)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
  }
}

/** A call with this certificate, where a client can be had that shows it; then one that is good, whatever TLS said. */
const shaken = async (sandbox: Sandbox, identity: { certificate: string; privateKey: string }) => {
  if (!isShowable(identity)) return undefined
  const message = await sandbox.sign({ target: '/payments/x/status' })
  const { answers, error } = await talk(sandbox.apiPort, message, { identity })
  const [answer] = answers
  if (answer === undefined && error === undefined) return 'the connection ended without a word'
  return (answer && (await apiFaultOf(answer, sandbox))) ?? answered(sandbox)
}

const isShowable = ({ certificate, privateKey }: { certificate: string; privateKey: string }): boolean => {
  try {
    return createSecureContext({ cert: certificate, key: privateKey }) !== undefined
  } catch {
    return false
  }
}

const answered = async (sandbox: Sandbox, change: (message: Message) => Message = message => message) => {
  const message = change(await sandbox.sign({ target: '/payments/x/status' }))
  return apiFaultOf(await sandbox.send(message), sandbox)
}
