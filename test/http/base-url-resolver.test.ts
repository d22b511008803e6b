import { describe, expect, test } from 'vitest'
import { createBaseUrlResolver } from '../../simulator/installation/base-url-resolver.ts'

const book = (config: { apiUrl?: string; pagesUrl?: string } = {}) =>
  createBaseUrlResolver({
    config: { apiUrl: config.apiUrl, pagesUrl: config.pagesUrl },
    ports: { api: 8443, pages: 8080 },
  })

describe('E4: the addresses in kits and redirects', () => {
  test.each([
    ['localhost:8080', 'https://localhost:8443'],
    ['127.0.0.1', 'https://127.0.0.1:8443'],
    ['[::1]:8080', 'https://[::1]:8443'],
    ['assay:8080', 'https://assay:8443'],
  ])('for the Host %s of the pages the API is at %s until it was called under another Host', (host, apiUrl) => {
    expect(book().forPagesCall('shop', host)).toEqual({ apiUrl, pagesUrl: `http://${host}` })
  })

  test('behind mapped ports each address is the last Host by which the organization called it', () => {
    const addresses = book()
    expect(addresses.forPagesCall('shop', 'docker:32001').pagesUrl).toBe('http://docker:32001')
    expect(addresses.forApiCall('shop', 'docker:32002')).toEqual({
      apiUrl: 'https://docker:32002',
      pagesUrl: 'http://docker:32001',
    })
    expect(addresses.forPagesCall('shop', 'docker:32003').apiUrl).toBe('https://docker:32002')
  })

  test('the Host of one organization is not used for another', () => {
    const addresses = book()
    addresses.forApiCall('evil', 'evil.example')
    addresses.forPagesCall('evil', 'evil.example')
    expect(addresses.forApiCall('shop', 'localhost:1').pagesUrl).toBe('http://localhost:8080')
    expect(addresses.forPagesCall('shop', 'localhost:2').apiUrl).toBe('https://localhost:1')
  })

  test('configured addresses take precedence', () => {
    const configured = { apiUrl: 'https://api.example', pagesUrl: 'https://pages.example' }
    expect(book(configured).forApiCall('shop', 'localhost:1')).toEqual(configured)
    expect(book(configured).forPagesCall('shop', 'localhost:1')).toEqual(configured)
  })
})
