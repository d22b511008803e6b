import { describe, expect, test } from 'vitest'
import { createBaseUrlResolver } from '../../simulator/installation/base-url-resolver.ts'

const NOTHING = { apiUrl: undefined, pagesUrl: undefined }

const book = (config: { apiUrl?: string; pagesUrl?: string } = {}) =>
  createBaseUrlResolver({
    config: { apiUrl: config.apiUrl, pagesUrl: config.pagesUrl },
    ports: { api: 8443, pages: 8080 },
  })

describe('E4: the addresses in kits and redirects', () => {
  test.each([
    ['localhost:8080', 'https://localhost:8443'],
    ['127.0.0.1', 'https://127.0.0.1:80'],
    ['svc', 'https://svc:80'],
    ['[fd00::7]', 'https://[fd00::7]:80'],
    ['[::1]:8080', 'https://[::1]:8443'],
    ['assay:8080', 'https://assay:8443'],
  ])('for the Host %s of the pages the API is at %s until it was called under another Host', (host, apiUrl) => {
    expect(book().forPagesCall('shop', host)).toEqual({ apiUrl, pagesUrl: `http://${host}` })
    expect(book().apiUrlAt(host)).toBe(apiUrl)
  })

  test('behind mapped ports each address is the last Host by which the organization called it', () => {
    const addresses = book()
    expect(addresses.forPagesCall('shop', 'docker:32001').pagesUrl).toBe('http://docker:32001')
    expect(addresses.forApiCall('shop', { host: 'docker:32002' })).toEqual({ pagesUrl: 'http://docker:32001' })
    expect(addresses.forPagesCall('shop', 'docker:32003').apiUrl).toBe('https://docker:32002')
  })

  test('a mapped port of the pages reaches the API too, and an API call there is told of it', () => {
    expect(book().forPagesCall('shop', 'docker:32001').apiUrl).toBe('https://docker:32001')
    const call = { host: 'docker:32001', port: 8080 }
    expect(book().forApiCall('shop', call).pagesUrl).toBe('http://docker:32001')
  })

  test('a Host without a port is a mapped port 80, in a redirect as in a kit', () => {
    expect(book().forApiCall('shop', { host: 'svc:80', port: 8080 }).pagesUrl).toBe('http://svc')
    const onPort80 = createBaseUrlResolver({ config: NOTHING, ports: { api: 443, pages: 80 } })
    expect(onPort80.apiUrlAt('svc')).toBe('https://svc:443')
  })

  test.each([
    ['https://pay.example', 'pay.example', 'https://pay.example:8443'],
    ['https://pay.example:9444', 'PAY.example:9444', 'https://pay.example:8443'],
    ['https://pay.example:9444', 'pay.example', 'https://pay.example:8443'],
    ['https://pay.example', 'upstream', 'https://upstream:8443'],
    ['http://pay.example', 'pay.example', 'https://pay.example:8443'],
    ['https://pay.example', 'docker:32001', 'https://docker:32001'],
  ])('with the pages-url %s the Host %s names the API %s: a proxy is no port of the sandbox', (pagesUrl, host, url) => {
    expect(book({ pagesUrl }).apiUrlAt(host)).toBe(url)
  })

  test('a kit names the API by the name of its own caller, not by that of another network', () => {
    const addresses = book()
    addresses.forApiCall('shop', { host: 'sandbox:8443' })
    expect(addresses.forPagesCall('shop', 'localhost:8080').apiUrl).toBe('https://localhost:8443')
    addresses.forApiCall('shop', { host: 'localhost:32002' })
    expect(addresses.forPagesCall('shop', 'localhost:8080').apiUrl).toBe('https://localhost:32002')
    expect(addresses.forPagesCall('shop', 'SANDBOX:8080').apiUrl).toBe('https://sandbox:8443')
  })

  test('an address that a call names comes first, for that call alone', () => {
    const addresses = book({ apiUrl: 'https://api.example' })
    expect(addresses.forPagesCall('shop', 'localhost:1', 'https://assay:8443').apiUrl).toBe('https://assay:8443')
    expect(addresses.forPagesCall('shop', 'localhost:1').apiUrl).toBe('https://api.example')
  })

  test('a redirect names the name of who calls the API, whoever else asks for a kit under another name', () => {
    const addresses = book()
    addresses.forPagesCall('shop', 'localhost:32001')
    expect(addresses.forApiCall('shop', { host: 'sandbox:8443' }).pagesUrl).toBe('http://sandbox:8080')
    addresses.forPagesCall('shop', 'sandbox:8081')
    addresses.forPagesCall('shop', 'localhost:32001')
    expect(addresses.forApiCall('shop', { host: 'Sandbox:8443' }).pagesUrl).toBe('http://sandbox:8081')
    expect(addresses.forApiCall('shop', { host: 'localhost:32002' }).pagesUrl).toBe('http://localhost:32001')
  })

  test('a call at the port of the pages is redirected to that very port, whatever other port a kit was asked at', () => {
    const addresses = book()
    addresses.forPagesCall('shop', 'localhost:8080')
    const call = { host: 'localhost:32001', port: 8080 }
    expect(addresses.forApiCall('shop', call).pagesUrl).toBe('http://localhost:32001')
  })

  test('an API address that a kit was asked for with has the redirects of who asked, whoever reads a kit later', () => {
    const addresses = book()
    addresses.forPagesCall('shop', 'svc', 'https://sandbox:8443')
    addresses.forPagesCall('shop', 'sandbox:8080')
    expect(addresses.forApiCall('shop', { host: 'sandbox:8443' }).pagesUrl).toBe('http://svc')
    expect(addresses.forApiCall('shop', { host: 'SANDBOX:8443' }).pagesUrl).toBe('http://svc')
    expect(addresses.forApiCall('shop', { host: 'sandbox:9443' }).pagesUrl).toBe('http://sandbox:8080')
    expect(addresses.forApiCall('other', { host: 'sandbox:8443' }).pagesUrl).toBe('http://sandbox:8080')
    addresses.forPagesCall('shop', 'localhost:1', 'https://sandbox:8443')
    expect(addresses.forApiCall('shop', { host: 'sandbox:8443' }).pagesUrl).toBe('http://localhost:1')
    addresses.forPagesCall('shop', 'localhost:2', 'https://proxy')
    expect(addresses.forApiCall('shop', { host: 'proxy:443' }).pagesUrl).toBe('http://localhost:2')
  })

  test('with an address of the API for all, a redirect has its name, whoever reads a kit under another', () => {
    const addresses = book({ apiUrl: 'https://sandbox:8443' })
    for (const host of ['localhost:32001', 'gateway:8080']) addresses.forPagesCall('shop', host)
    expect(addresses.forApiCall('shop', { host: 'sandbox:8443' }).pagesUrl).toBe('http://sandbox:8080')
  })

  test('the newest names are kept, also those that were named before', () => {
    const addresses = book()
    const name = (at: number, host: string) => addresses.forPagesCall('shop', host, `https://sandbox${at}:8443`)
    for (const at of [0, 1, 2, 3, 4, 5, 6, 7, 0, 8]) name(at, 'tests:9999')
    expect(addresses.forApiCall('shop', { host: 'sandbox0:8443' }).pagesUrl).toBe('http://tests:9999')
    expect(addresses.forApiCall('shop', { host: 'sandbox1:8443' }).pagesUrl).toBe('http://sandbox1:8080')
  })

  test('the Host of one organization is not used for another', () => {
    const addresses = book()
    addresses.forApiCall('evil', { host: 'evil.example' })
    addresses.forPagesCall('evil', 'evil.example')
    expect(addresses.forApiCall('shop', { host: 'localhost:1' }).pagesUrl).toBe('http://localhost:8080')
    expect(addresses.forPagesCall('shop', 'localhost:2').apiUrl).toBe('https://localhost:1')
  })

  test('configured addresses take precedence', () => {
    const configured = { apiUrl: 'https://api.example', pagesUrl: 'https://pages.example' }
    expect(book(configured).forApiCall('shop', { host: 'localhost:1' }).pagesUrl).toBe(configured.pagesUrl)
    expect(book(configured).forPagesCall('shop', 'localhost:1')).toEqual(configured)
  })
})
