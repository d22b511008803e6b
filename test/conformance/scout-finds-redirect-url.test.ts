import { expect, test } from 'vitest'
import { redirectIn } from '../../contracts/scout/scout-initiate-fields.ts'

const URL = 'https://pay.example/p/1'

test.each([
  ['the one that is named so', { qrCode: URL, redirectUrl: URL }, '/redirectUrl'],
  ['one that is no QR code, which has the same value', { qrCode: URL, next: { location: URL } }, '/next/location'],
  ['the QR code where there is no other', { qrCode: URL }, '/qrCode'],
])('scout takes for the redirect URL %s', (_what, json, pointer) => {
  expect(redirectIn(json)).toBe(pointer)
})
