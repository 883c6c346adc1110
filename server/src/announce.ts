import type { Config } from './config.ts'

type Demo = {
  accounts: readonly { who: string; email: string }[]
  password: string
  airtable: string
}

/** What the person who started the server wants to read, apart from the log. */
export function announce(config: Config, url: string, demo: Demo | undefined): string {
  const lines = ['', `  Bancone is ready: ${url}`, '']
  if (demo) {
    const width = Math.max(...demo.accounts.map((account) => account.email.length))
    lines.push('  Demo accounts (password for all of them: ' + demo.password + ')')
    for (const { email, who } of demo.accounts) lines.push(`    ${email.padEnd(width)}  ${who}`)
    lines.push('', `  The demo's Airtable answers on ${demo.airtable}`)
  }
  if (config.demo && config.host !== '127.0.0.1' && config.host !== 'localhost') {
    lines.push(
      '  Anyone who reaches this address can sign in with the demo accounts (DEMO=0 ends that).',
    )
  }
  lines.push('  Ctrl-C stops it.', '')
  return lines.join('\n')
}
