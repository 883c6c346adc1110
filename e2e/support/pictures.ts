import type { Page } from 'playwright-core'

/** A JPEG of noise, which hardly can be made smaller: the more pixels, the more bytes. */
export async function photograph(page: Page, width: number, height: number): Promise<Buffer> {
  const data = await page.evaluate(
    ([wide = 1, high = 1]) => {
      const canvas = document.createElement('canvas')
      canvas.width = wide
      canvas.height = high
      const paper = canvas.getContext('2d')
      if (!paper) throw new Error('this browser does not draw')
      const noise = paper.createImageData(wide, high)
      let state = 1
      for (let at = 0; at < noise.data.length; at += 1) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        noise.data[at] = at % 4 === 3 ? 255 : state >> 16
      }
      paper.putImageData(noise, 0, 0)
      return canvas.toDataURL('image/jpeg', 0.98)
    },
    [width, height],
  )
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}

/** The picture is dropped on an element, or pasted into the page, as the browser's own events. */
export async function give(
  page: Page,
  how: 'drop' | 'paste',
  picture: Buffer,
  selector = 'body',
): Promise<void> {
  await page.evaluate(
    ([way, base64, place]) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], 'foto.jpg', { type: 'image/jpeg' }))
      const target = document.querySelector(place)
      const traits = { bubbles: true, cancelable: true }
      target?.dispatchEvent(
        way === 'drop'
          ? new DragEvent('drop', { ...traits, dataTransfer: data })
          : new ClipboardEvent('paste', { ...traits, clipboardData: data }),
      )
    },
    [how, picture.toString('base64'), selector] as const,
  )
}

/** From now on so many bytes leave the page in a second. */
export async function slowLine(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}
