import { request } from 'node:http'
import { get } from 'node:https'
import { isIP } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import type { Kit } from '../../simulator/installation/merchant-kit.ts'

/**
 * Asks control in a test for a kit under a host name, which leads to this machine as an alias of a container network
 * would.
 */
export const askForKit = (name: string, port: string | number, path = 'organizations/demo-merchant/kit') =>
  new Promise<{ status: number; body: Kit & { error?: string } }>((resolve, reject) => {
    const headers = { Host: `${name}:${port}` }
    const asked = request(`http://127.0.0.1:${port}/control/${path}`, { headers }, async answer => {
      const text = (await answer.toArray()).join('')
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) })
    })
    asked.on('error', reject).end()
  })

/**
 * Calls the API in a test as a merchant who trusts the kit's authority alone, by default for the key set; returns the
 * status.
 */
export const keySetStatus = ({ jwksUrl, ca, certificate, privateKey }: Kit, path = new URL(jwksUrl).pathname) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { host, hostname, port } = new URL(jwksUrl)
    const name = hostname.replace(/^\[|\]$/g, '')
    const tls = {
      ...{ ca, cert: certificate, key: privateKey, agent: false },
      servername: isIP(name) ? '' : name, // as clients do: SNI names no address
      checkServerIdentity: (_host: string, shown: PeerCertificate) => checkServerIdentity(name, shown),
    }
    get({ ...tls, host: '127.0.0.1', port, path, headers: { host } }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    }).on('error', reject)
  })
