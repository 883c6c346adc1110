import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { bundledPictureRenderer } from '../../../test/bundled-picture-renderer.ts'
import { anImage } from '../../../test/pictures.ts'
import { runNode } from '../../../test/program.ts'
import { testFileFolder } from '../../../test/temporary-folder.ts'
import type { RenderPriority, Rendition } from '../../ports/picture-renderer.ts'
import type * as Module from './sharp-pictures.ts'

type SharpPictures = typeof Module
type Options = Parameters<SharpPictures['createSharpPictures']>[0]

let built: string
let createSharpPictures: SharpPictures['createSharpPictures']
let folder: string
let small: string
/** A rendition that takes seconds. */
let large: string
/** Shared by the tests that leave its process alive. */
let shared: ReturnType<typeof maker>

beforeAll(async () => {
  built = await bundledPictureRenderer()
  ;({ createSharpPictures } = (await import(built)) as SharpPictures)
  folder = await testFileFolder()
  small = join(folder, 'small')
  large = join(folder, 'large')
  await writeFile(small, await anImage())
  const [width, height] = [1_500, 1_500]
  const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
  await noise.jpeg().toFile(large)
  vi.stubEnv('APP_SECRET', 'not for hostile files')
  atEnd(() => vi.unstubAllEnvs())
  shared = maker({ maxWaiting: 2, idleMs: 600_000 }, atEnd)
})

const drawing: Rendition = { format: 'webp', quality: 80 }
const slow: Rendition = { format: 'avif', quality: 90 }
const usual = { width: 60, height: 40 }

/** A renderer whose processes are recorded, and ended with the test. */
function maker(
  options: Options = {},
  atItsEnd: (work: () => Promise<void>) => void = onTestFinished,
) {
  const pids: number[] = []
  const pictures = createSharpPictures({
    ...options,
    onStart(pid = 0) {
      pids.push(pid)
      options.onStart?.(pid)
    },
  })
  atItsEnd(() => pictures.close())
  const make = (from: string, priority: RenderPriority = 'normal', signal?: AbortSignal) =>
    pictures.render(from, `${from}.drawn`, from === large ? slow : drawing, { priority, signal })
  return { pids, make, close: pictures.close }
}

function isThere(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? 0, 0)
  } catch {
    return false
  }
}

const isGone = (pid: number | undefined) =>
  vi.waitUntil(() => !isThere(pid), { timeout: 10_000, interval: 20 })

/** Replaces the timers of the queue by fake ones. */
function holdTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  return (milliseconds: number) => vi.advanceTimersByTime(milliseconds)
}

/** Longer than a request waits. */
const PATIENCE = 60_000

const failure = (message: string) => ({ name: 'PictureRendererError', message })

// Each starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

describe('the process that draws pictures', () => {
  it('is one for many, and not there before', async () => {
    const { pids, make } = shared
    expect(pids).toEqual([])
    const all = await Promise.all([make(small), make(small), make(small)])
    for (const made of all) expect(made).toMatchObject(usual)
    expect(pids).toHaveLength(1)
    expect(pids[0]).not.toBe(process.pid)
  })

  it('ends when there was none for a while, and another begins with the next', async () => {
    const { pids, make } = maker({ idleMs: 50 })
    await make(small)
    await isGone(pids[0])
    expect(await make(small)).toMatchObject(usual)
    expect(pids).toHaveLength(2)
  })

  it('is followed by another when it has grown', async () => {
    const { pids, make } = maker({ maxMemory: 1 })
    await make(small)
    expect(isThere(pids[0])).toBe(false)
    expect(await make(small)).toMatchObject(usual)
    expect(pids).toHaveLength(2)
  })

  /** A program that renders a picture and prints the pid of the rendering process. */
  function drawingProgram(...asked: [from: string, to: string, drawing: Rendition]) {
    const program = `
      const { createSharpPictures } = await import(${JSON.stringify(built)})
      const pictures = createSharpPictures({ onStart: (pid) => console.log('pid ' + pid + ';') })
      await pictures.render(...${JSON.stringify(asked)}, { priority: 'normal' })`
    return runNode(['--input-type=module', '-e', program], {})
  }

  it('ends with the program that started it, when that is killed', async () => {
    const parent = drawingProgram(large, `${large}.orphan`, slow)
    await parent.printed(';')
    const pid = Number(/pid (\d+)/.exec(parent.output())?.[1])
    expect(isThere(pid)).toBe(true)
    await parent.end('SIGKILL')
    await isGone(pid)
    expect(await readdir(folder)).not.toContain('large.orphan')
  })

  it('does not keep the program that started it from ending', async () => {
    expect(await drawingProgram(small, `${small}.other`, drawing).ended).toBe(0)
  })

  it.runIf(process.platform === 'linux')('knows no secrets, and lets others go first', async () => {
    const { pids, make } = shared
    await make(small)
    const told = await readFile(`/proc/${pids[0]}/environ`, 'latin1')
    expect(told.replace(/NODE_CHANNEL_[^\0]*\0/g, '')).toBe('MALLOC_ARENA_MAX=2\0')
    const threads = await readdir(`/proc/${pids[0]}/task`)
    const nice = threads.map(async (thread) => {
      const status = await readFile(`/proc/${pids[0]}/task/${thread}/stat`, 'latin1')
      // After the name, which may have spaces: the state is the third value, this one the nineteenth.
      return status.slice(status.lastIndexOf(')') + 2).split(' ')[16]
    })
    expect(new Set(await Promise.all(nice))).toEqual(new Set(['10']))
    expect(await readFile(`/proc/${pids[0]}/oom_score_adj`, 'latin1')).toBe('1000\n')
  })
})

describe('a picture whose process', () => {
  it('ends once is drawn by another', async () => {
    const kill = vi.fn<(pid: number) => void>()
    kill.mockImplementationOnce((pid) => process.kill(pid, 'SIGKILL'))
    const { pids, make } = maker({ onStart: (pid = 0) => kill(pid) })
    expect(await make(small)).toMatchObject(usual)
    expect(pids).toHaveLength(2)
  })

  it('ends twice cannot be read, and the next one can', async () => {
    const { pids, make } = maker({
      onStart: (pid = 0) => pids.length < 3 && process.kill(pid, 'SIGKILL'),
    })
    expect(await make(small)).toBe('unreadable')
    expect(await make(small)).toMatchObject(usual)
    expect(pids).toHaveLength(3)
  })

  it('is asked to end, as with all the others, is drawn first', async () => {
    const { pids, make } = maker({
      onStart(pid = 0) {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
      },
    })
    expect(await make(small)).toMatchObject(usual)
    expect(pids).toHaveLength(1)
  })

  it('computes too long cannot be read, and is not tried again', async () => {
    const { pids, make } = maker({ computeMs: 150 })
    expect(await make(large)).toBe('unreadable')
    expect(isThere(pids[0])).toBe(false)
    expect(pids).toHaveLength(1)
  })

  it('does not answer, fails for now', async () => {
    const { pids, make } = maker()
    await make(small)
    process.kill(pids[0] ?? 0, 'SIGSTOP')
    const passTime = holdTime()
    const asked = expect(make(small)).rejects.toMatchObject(failure('a picture took too long'))
    passTime(PATIENCE)
    await asked
    expect(isThere(pids[0])).toBe(false)
    expect(await make(small)).toMatchObject(usual)
  })

  it('cannot be started, fails for now', async () => {
    const { make } = maker()
    const { execPath } = process
    process.execPath = join(folder, 'no-program')
    onTestFinished(() => {
      process.execPath = execPath
    })
    await expect(make(small)).rejects.toThrow('their process does not start')
    process.execPath = execPath
    expect(await make(small)).toMatchObject(usual)
  })
})

describe('pictures that wait', () => {
  /** A renderer that is busy with a first picture until the test releases it. */
  async function busyMaker(made = shared) {
    await made.make(small)
    const pid = made.pids[0] ?? 0
    process.kill(pid, 'SIGSTOP')
    const goOn = () => process.kill(pid, 'SIGCONT')
    return { ...made, first: made.make(small), goOn }
  }

  it('come in the order of who waits for them', async () => {
    const { make, first, goOn } = await busyMaker()
    const order: string[] = []
    const wanted: RenderPriority[] = ['background', 'normal', 'high', 'normal', 'high']
    const others = wanted.map(async (priority, index) => {
      await make(small, priority)
      order.push(`${priority} ${index}`)
    })
    goOn()
    await Promise.all([first, ...others])
    const expected = ['high 2', 'high 4', 'normal 1', 'normal 3', 'background 0']
    expect(order).toEqual(expected)
  })

  it('are not too many, each kind by itself', async () => {
    const { make, first, goOn } = await busyMaker()
    const wait = [make(small, 'background'), make(small, 'background')]
    const tooMany = failure('too many pictures wait to be drawn')
    await expect(make(small, 'background')).rejects.toMatchObject(tooMany)
    const looks = make(small, 'high')
    goOn()
    for (const made of await Promise.all([first, ...wait, looks])) {
      expect(made).toMatchObject(usual)
    }
  })

  it('wait for a while if a person waits for them, and else until their turn comes', async () => {
    const passTime = holdTime()
    const { pids, make, first } = await busyMaker(maker())
    const awaited = [first, make(small), make(small, 'high')]
    const background = make(small, 'background')
    passTime(PATIENCE)
    const reason = failure('a picture took too long')
    for (const each of await Promise.allSettled(awaited)) {
      expect(each).toMatchObject({ status: 'rejected', reason })
    }
    expect(await background).toMatchObject(usual)
    expect(pids).toHaveLength(2)
  })

  it('are given up when their request is, which changes nothing for the others', async () => {
    const { pids, make, first, goOn } = await busyMaker()
    const asking = new AbortController()
    const given = make(large, 'high', asking.signal)
    const other = make(small)
    const why = new Error('they have left')
    asking.abort(why)
    await expect(given).rejects.toBe(why)
    await expect(make(small, 'high', asking.signal)).rejects.toBe(why)
    goOn()
    expect(await first).toMatchObject(usual)
    expect(await other).toMatchObject(usual)
    expect(pids).toHaveLength(1)
  })

  it('come next when the one that is drawn is given up, which writes nothing more', async () => {
    const asking = new AbortController()
    const { pids, make } = maker({ onStart: () => pids.length === 1 && asking.abort() })
    const given = make(large, 'normal', asking.signal)
    const next = make(small)
    await expect(given).rejects.toThrow('aborted')
    expect(isThere(pids[0])).toBe(false)
    expect(await next).toMatchObject(usual)
    expect(await readdir(folder)).not.toContain('large.drawn')
  })

  it('are drawn no more once it is closed, nor is the one that is being drawn', async () => {
    const { pids, make, first, close } = await busyMaker(maker())
    const why = 'pictures are drawn no more'
    const all = [first, make(small), make(small, 'background')].map(async (picture) =>
      expect(picture).rejects.toThrow(why),
    )
    await close()
    await Promise.all(all)
    expect(isThere(pids[0])).toBe(false)
    await expect(make(small)).rejects.toThrow(why)
    expect(pids).toHaveLength(1)
  })
})
