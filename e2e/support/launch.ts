import { type Browser, chromium } from 'playwright-core'
import { ensureChromium, findHeadlessShell } from '../../scripts/chromium.mjs'

/**
 * A Chromium that does nothing but what it is told.
 * @param options.notifications whether it can show them, which takes a Chromium with windows
 */
export async function launch({ notifications = false } = {}): Promise<Browser> {
  const shell = notifications ? undefined : await findHeadlessShell()
  return chromium.launch({
    executablePath: shell ?? (await ensureChromium()),
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
