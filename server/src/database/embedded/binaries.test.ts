import { chmod, cp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/embedded-database.ts'
import { findAccount, runsAsRoot } from './account.ts'
import { importPrograms, makeUsable } from './binaries.ts'

/** The programs as npm unpacks them where scripts of packages do not run: without their links. */
async function unpack(folder: string) {
  const { postgres } = await importPrograms()
  const native = dirname(dirname(postgres))
  await cp(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  await cp(join(dirname(native), 'package.json'), join(folder, 'package.json'))
  for (const link of ['libicui18n.so.60', 'libicuuc.so.60', 'libicudata.so.60', 'libpq.so.5']) {
    await rm(join(folder, 'native/lib', link), { force: true })
  }
  const at = (name: string) => join(folder, 'native/bin', name)
  return { postgres: at('postgres'), initdb: at('initdb'), pgCtl: at('pg_ctl') }
}

const onLinux = process.platform === 'linux' && process.arch === 'x64'

test.runIf(onLinux)('programs without their links and their mode get them', async () => {
  const folder = await temporaryFolder()
  const programs = await unpack(folder)
  await chmod(programs.postgres, 0o644)
  const usable = await makeUsable(programs, undefined, join(folder, 'copies'))
  expect(usable).toEqual({ ...programs, major: '18' })
})

test.runIf(onLinux && runsAsRoot)(
  'programs out of reach are copied once, open to all',
  async () => {
    const folder = await temporaryFolder()
    const hidden = join(folder, 'hidden')
    await mkdir(hidden, { mode: 0o700 })
    const programs = await unpack(hidden)
    await chmod(join(hidden, 'native'), 0o700)
    const account = await findAccount()
    const copies = join(folder, 'copies')
    const both = await Promise.all([
      makeUsable(programs, account, copies),
      makeUsable(programs, account, copies),
    ])
    expect(both[0]).toEqual(both[1])
    expect(both[0].postgres).toMatch(/copies\/postgresql-18[^/]*\/bin\/postgres$/)
    expect(await readdir(copies)).toHaveLength(1)
    expect((await stat(hidden)).mode & 0o777).toBe(0o700)
  },
)

test('programs that do not run at all are told of in one line', async () => {
  const folder = await temporaryFolder()
  const at = join(folder, 'native/bin/none')
  const programs = { postgres: at, initdb: at, pgCtl: at }
  await expect(makeUsable(programs, undefined, folder)).rejects.toThrow(
    /^The embedded PostgreSQL does not run here: .*ENOENT.*Set DATABASE_URL$/,
  )
})
