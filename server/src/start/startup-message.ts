import { join } from 'node:path'
import { publicOffersPath } from '@bancone/contract/pages'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/config-variables.ts'
import { type DemoAccount, demoPassword, demoPharmacyCode } from '../demo/demo-accounts.ts'

type Demo = {
  airtable: string
  accounts: readonly DemoAccount[]
  /** The path of the page of a customer with priority access. */
  customerPath: string | undefined
}

/**
 * The message printed when the server is ready, for the person who started it.
 *
 * @param demo the demo accounts and the URL of the demo's Airtable; undefined without a demo
 */
export function startupMessage(config: Config, url: string, demo: Demo | undefined): string {
  const lines = ['', `  Bancone is ready: ${url}`, '']
  if (demo) {
    const width = Math.max(...demo.accounts.map((account) => account.email.length))
    lines.push(`  Demo accounts (password for all of them: ${demoPassword})`)
    for (const { email, who } of demo.accounts) lines.push(`    ${email.padEnd(width)}  ${who}`)
    lines.push(
      '',
      `  What customers of its first pharmacy see: ${url}${publicOffersPath(demoPharmacyCode)}`,
    )
    if (demo.customerPath !== undefined) {
      lines.push(`  To be a customer with priority access yourself: ${url}${demo.customerPath}`)
    }
    lines.push(`  The demo's Airtable answers on ${demo.airtable}`)
    if (!isLoopback(config.host)) {
      lines.push(
        '  Anyone who reaches this address can sign in with these accounts: for real use start with',
        '  DEMO=0 and another DATA_DIR.',
      )
    }
  }
  if (!config.mail.smtpUrl) {
    lines.push(`  Mails are not sent but written to ${join(config.dataDir, 'outbox')}`)
  }
  lines.push('  Ctrl-C stops it.', '')
  return lines.join('\n')
}
