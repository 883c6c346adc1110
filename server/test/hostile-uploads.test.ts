import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ErrorBody, errorStatus } from '@bancone/contract/errors'
import { imageTypes, UploadedImage } from '@bancone/contract/images'
import PQueue from 'p-queue'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type HostileFile, PAYLOAD } from './hostile/hostile-file.ts'
import { hostileFiles } from './hostile-files.ts'
import { type ImagesServer, imagesServer } from './images-server.ts'
import { builtProgram, freePort, type Program, runNode } from './program.ts'
import { testFileFolder } from './temporary-folder.ts'

const { folder, files } = await hostileFiles()

const APP_SECRET = 'a secret for hostile files, long enough'

/** The maximum side of a stored picture, in pixels. */
const KEPT_SIDE = 2_000

/** Concurrent pharmacies, and the number of pictures of each, at the limit. */
const SENDERS = 6
const AT_ONCE = 4

const MB = 1024 * 1024

type Headers = { authorization: string }

/** For its accounts only: the uploads go to a separate process. */
let accounts: ImagesServer

beforeAll(async () => {
  accounts = await imagesServer({ appSecret: APP_SECRET })
})

async function start() {
  const port = await freePort()
  const program = runNode(
    ['--min-semi-space-size=4', '--max-semi-space-size=4', builtProgram('main')],
    {
      PORT: String(port),
      DATA_DIR: await testFileFolder(),
      DATABASE_URL: accounts.database.url,
      PUBLIC_URL: 'http://localhost:3000',
      APP_SECRET,
      DEMO: '0',
    },
  )
  await program.printed('Bancone is ready')
  return { program, url: `http://127.0.0.1:${port}` }
}

function send(url: string, headers: Headers, bytes: Buffer<ArrayBuffer>, type = 'image/jpeg') {
  return fetch(`${url}/api/images`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body: bytes,
  })
}

/** The expected response. */
function expected({ name, outcome }: HostileFile) {
  if (typeof outcome === 'string') {
    const code = `images.${outcome}` as const
    return { name, status: errorStatus(code), code }
  }
  const scale = Math.min(1, KEPT_SIDE / Math.max(outcome.width, outcome.height))
  return { name, status: 201, width: outcome.width * scale, height: outcome.height * scale }
}

/** Uploads all files, by new pharmacies. @returns the URLs of the stored pictures */
async function sendAll(url: string): Promise<string[]> {
  const kept: string[] = []
  const sending = Array.from({ length: SENDERS }, async (_, sender) => {
    const { headers } = await accounts.pharmacy()
    const queue = new PQueue({ concurrency: AT_ONCE })
    const own = files.filter((_file, index) => index % SENDERS === sender)
    const sendOne = async (file: HostileFile, index: number) => {
      const bytes = await readFile(join(folder, file.name))
      // Under an accepted type, whatever the content is.
      const reply = await send(url, headers, bytes, imageTypes[index % imageTypes.length])
      const { name } = file
      const { status } = reply
      const body: unknown = await reply.json()
      if (status !== 201) return { name, status, code: ErrorBody.parse(body).code }
      const image = UploadedImage.parse(body)
      kept.push(image.url)
      return { name, status, width: image.width, height: image.height }
    }
    const answers = await queue.addAll(own.map((file, index) => () => sendOne(file, index)))
    expect(answers).toEqual(own.map(expected))
  })
  await Promise.all(sending)
  return kept
}

/** The memory of the server process in bytes; 0 where the system does not report it. */
function memoryOf({ pid }: Program): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** The maximum memory during the work. */
async function mostMemory(program: Program, work: () => Promise<unknown>): Promise<number> {
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(program))
  }, 50)
  try {
    await work()
    return most
  } finally {
    clearInterval(watch)
  }
}

/** Expects a picture without the hidden payload. */
async function expectHarmless(address: string): Promise<void> {
  const reply = await fetch(`${address}/original`, { headers: { accept: 'image/webp' } })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(bytes.includes(PAYLOAD)).toBe(false)
  const { format, exif, xmp, iptc, icc } = await sharp(bytes).metadata()
  expect({ format, exif, xmp, iptc, icc }).toEqual({ format: 'webp' })
}

describe('hostile files that are sent all at once', () => {
  it('are answered with their code or kept without their payload, in bounded memory of the server', async () => {
    const { program, url } = await start()
    const { headers } = await accounts.pharmacy()
    await send(url, headers, Buffer.from('what is needed for the first is there'))
    const before = memoryOf(program)
    const kept: string[] = []
    const memory: number[] = []
    for (let round = 1; round <= 3; round += 1) {
      memory.push(await mostMemory(program, async () => kept.push(...(await sendAll(url)))))
    }
    const [first = 0, , third = 0] = memory
    // A single unpacked picture is larger than that.
    expect(Math.max(...memory) - before).toBeLessThan(80 * MB)
    expect(third - first).toBeLessThan(20 * MB)

    const taken = files.filter(({ outcome }) => typeof outcome === 'object').length
    expect(kept).toHaveLength(3 * taken)
    for (const address of kept.slice(0, taken)) await expectHarmless(url + address)
  }, 240_000)
})
