import { type Browser, chromium } from 'playwright-core'
import { ensureChromium } from '../../scripts/chromium.mjs'

/** A Chromium that does nothing but what it is told. */
export async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
