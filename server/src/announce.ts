import { join } from 'node:path'
import type { Config } from './config.ts'
import { demoAccounts, demoPassword } from './demo-accounts.ts'

/**
 * What the person who started the server wants to read, apart from the log.
 *
 * @param demoAirtable where the orders of the demo's accounts are; undefined when they are not there
 */
export function announce(config: Config, url: string, demoAirtable: string | undefined): string {
  const lines = ['', `  Bancone is ready: ${url}`, '']
  if (demoAirtable) {
    const width = Math.max(...demoAccounts.map((account) => account.email.length))
    lines.push(`  Demo accounts (password for all of them: ${demoPassword})`)
    for (const { email, who } of demoAccounts) lines.push(`    ${email.padEnd(width)}  ${who}`)
    lines.push('', `  The demo's Airtable answers on ${demoAirtable}`)
    if (config.host !== '127.0.0.1' && config.host !== 'localhost') {
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
