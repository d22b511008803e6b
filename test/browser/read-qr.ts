import jsQR from 'jsqr'
import type { Locator, Page } from 'playwright'

/** Reads a QR code from the pixels of a browser test's screenshot, as a phone's camera does; returns its text. */
export async function readQr(code: Locator, blank: Page): Promise<string | undefined> {
  const picture = (await code.screenshot()).toString('base64')
  const { width, height, pixels } = await blank.evaluate(async base64 => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] }
    return { width: image.width, height: image.height, pixels: Array.from(data) }
  }, picture)
  return jsQR.default(Uint8ClampedArray.from(pixels), width, height, { inversionAttempts: 'dontInvert' })?.data
}
