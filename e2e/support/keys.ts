import type { Page } from 'playwright-core'

/** Presses keys as a hand does: one after the other. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.waitForTimeout(100)
  }
}

/** Types a code as a barcode scanner does: without pauses, however busy this machine is, and with Enter at the end. */
export async function scan(page: Page, code: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const keys = Array.from(code, (text) => ({ text, key: text }))
  const sent = [...keys, { text: '\r', key: 'Enter', windowsVirtualKeyCode: 13 }].flatMap((key) => [
    session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
  ])
  await Promise.all(sent)
  await session.detach()
  // Longer than a shortcut waits for a second key.
  await page.waitForTimeout(100)
}
