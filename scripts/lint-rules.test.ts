import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from './command.mjs'
import { runNode, tool } from './tools.mjs'

const MISUSES: [rule: string, file: string, text: string][] = [
  ['no-floating-promises', 'server/src/a.ts', 'Promise.resolve(1)\n'],
  ['no-explicit-any', 'server/src/b.ts', 'export const a: any = 1\n'],
  ['no-unsafe-member-access', 'server/src/c.ts', "export const a: number = JSON.parse('').b\n"],
  ['no-unsafe-type-assertion', 'server/src/d.ts', 'export const f = (a: unknown) => a as string\n'],
  ['no-console', 'server/src/e.ts', 'console.log(1)\n'],
  ['no-console', 'web/src/a.ts', 'console.log(1)\n'],
  ['no-process-env', 'server/src/f.ts', "export const a = process.env['A']\n"],
  [
    'no-restricted-imports',
    'server/src/g.ts',
    "import { env } from 'node:process'\nenv['A'] = ''\n",
  ],
  ['no-default-export', 'server/src/h.ts', 'export default 1\n'],
  ['max-lines', 'server/src/i.ts', 'export {}\n'.repeat(401)],
  ['max-lines', 'server/src/i.test.ts', 'export {}\n'.repeat(501)],
  [
    'no-focused-tests',
    'server/src/j.test.ts',
    "import { it } from 'vitest'\nit.only('a', () => {})\n",
  ],
  ['alt-text', 'web/src/b.tsx', 'export const A = () => <img src="a.png" />\n'],
  [
    'rules-of-hooks',
    'web/src/c.tsx',
    "import { useId } from 'react'\nexport const f = () => useId()\n",
  ],
]

let tree: string
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'lint rules '))
  await cp(join(ROOT, '.oxlintrc.json'), join(tree, '.oxlintrc.json'))
  await writeFile(
    join(tree, 'tsconfig.json'),
    '{"compilerOptions":{"strict":true,"jsx":"react-jsx"}}',
  )
  for (const [, file, text] of MISUSES) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), text)
  }
})
afterAll(() => rm(tree, { recursive: true }))

it('refuse each misuse', async () => {
  const args = [tool('oxlint'), '--type-aware', '--format=unix', '.']
  // oxlint looks for its typed half in the working directory and on the PATH.
  const path = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)
  const { output } = await runNode(args, { cwd: tree, env: { ...process.env, PATH: path } })
  const lines = output.split('\n')
  const missing = MISUSES.filter(
    ([rule, file]) =>
      !lines.some((line) => line.includes(`${file}:`) && line.includes(`(${rule})`)),
  )
  expect(missing.map(([rule, file]) => `${rule} ${file}`)).toEqual([])
})
