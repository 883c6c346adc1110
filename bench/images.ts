import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ImageVariant, variantUrl } from '@bancone/contract/image-variants'
import { UploadedImage } from '@bancone/contract/images'
import { compare, type Report, sayComparison } from './compare.ts'
import { appSecret, type BenchDatabase } from './database.ts'
import { median } from './load.ts'
import { photograph } from './photograph.ts'
import { type ServerProcess, signInTo, startProcess } from './server-process.ts'

const SERVED_GOAL = 0.7
const WAITING_GOAL = 3
const ROUNDS = 3
const VARIANTS = 100
const IDLE_MS = 8_000

/** What pictures cost: serving one that was made, and what those at work wait while others are made. */
export async function benchImages(database: BenchDatabase, report: Report): Promise<void> {
  const pharmacy = database.pharmacies.at(-4)
  if (!pharmacy) throw new Error('there is no pharmacy')
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-images-'))
  const served = await startProcess(['dist/server/main.js'], 3907, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'info',
  })
  try {
    const headers = await signInTo(served.url, pharmacy.email)
    const upload = async (number: number) => {
      const reply = await fetch(`${served.url}/api/images`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'image/png' },
        body: photograph(number),
      })
      return UploadedImage.parse(await reply.json())
    }
    await benchServing(served, (await upload(0)).url, dataDir, report)
    await benchMaking(served, headers, upload, report)
  } finally {
    await served.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function benchServing(served: ServerProcess, url: string, folder: string, report: Report) {
  const path = variantUrl(url, 'card')
  const headers = { accept: 'image/webp' }
  const picture = await take(served.url + path, headers.accept)
  const file = join(folder, 'picture-of-the-bare-server')
  await writeFile(file, picture)
  const bare = await startProcess(['--import', 'tsx', 'bench/bare-picture.ts'], 3908, {
    PICTURE: file,
  })
  try {
    const requests = [{ path, headers }]
    sayComparison(
      report,
      `A picture of ${(picture.byteLength / 1024).toFixed(0)} kB that was made before`,
      'a bare node:http with the same bytes',
      { ratio: SERVED_GOAL },
      await compare({ server: served, requests }, { server: bare, requests }),
    )
  } finally {
    await bare.stop()
  }
}

async function benchMaking(
  served: ServerProcess,
  headers: Record<string, string>,
  upload: (number: number) => Promise<UploadedImage>,
  { say, missed }: Report,
) {
  const pages = (until: Promise<unknown>) => pagesUntil(served.url, headers, until)
  await pages(pause(2_000))
  const ratios: number[] = []
  const lines: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const addresses = await freshAddresses(served.url, round, upload)
    const idle = slowest(await pages(pause(IDLE_MS)))
    const begun = performance.now()
    const busy = slowest(await pages(takeAll(addresses)))
    const seconds = (performance.now() - begun) / 1000
    ratios.push(busy / idle)
    lines.push(`${busy.toFixed(1)}/${idle.toFixed(1)} (made in ${seconds.toFixed(1)} s)`)
  }
  const ratio = median(ratios)
  if (ratio > WAITING_GOAL) missed.push('pages of orders while pictures are made')
  say(
    `p99 of a page of orders while ${VARIANTS} pictures are made, against idle, in ms: ` +
      `${lines.join(', ')}: ratio ${ratio.toFixed(2)} (goal: at most ${WAITING_GOAL})`,
  )
}

/** Addresses that were not requested yet, each with the format to request. */
async function freshAddresses(
  origin: string,
  round: number,
  upload: (number: number) => Promise<UploadedImage>,
) {
  const each: { url: string; accept: string }[] = []
  for (let number = 1; each.length < VARIANTS; number += 1) {
    const { url } = await upload(round * 100 + number)
    for (const variant of ImageVariant.options) {
      for (const accept of ['image/avif', 'image/webp', 'image/jpeg']) {
        // That one is made already: it is what is kept.
        if (variant === 'original' && accept === 'image/webp') continue
        each.push({ url: origin + variantUrl(url, variant), accept })
      }
    }
  }
  return each.slice(0, VARIANTS)
}

/** As browsers do, a few at once. */
async function takeAll(addresses: { url: string; accept: string }[]): Promise<void> {
  const left = [...addresses]
  const visitor = async () => {
    for (let next = left.pop(); next; next = left.pop()) await take(next.url, next.accept)
  }
  await Promise.all(Array.from({ length: 6 }, visitor))
}

async function take(url: string, accept: string): Promise<Uint8Array> {
  const reply = await fetch(url, { headers: { accept } })
  const bytes = new Uint8Array(await reply.arrayBuffer())
  if (!reply.ok || reply.headers.get('content-type') !== accept) {
    throw new Error(`a picture answered ${reply.status}`)
  }
  return bytes
}

/** Milliseconds that each page of orders took, asked for by a counter at work until something is over. */
async function pagesUntil(
  origin: string,
  headers: Record<string, string>,
  until: Promise<unknown>,
): Promise<number[]> {
  const taken: number[] = []
  const over = new AbortController()
  const person = async () => {
    while (!over.signal.aborted) {
      const begun = performance.now()
      const reply = await fetch(`${origin}/api/airtable-orders?page=1`, { headers })
      await reply.arrayBuffer()
      if (!reply.ok) throw new Error(`a page of orders answered ${reply.status}`)
      taken.push(performance.now() - begun)
      await pause(15)
    }
  }
  const people = Promise.all(Array.from({ length: 4 }, person))
  await until.finally(() => over.abort())
  await people
  return taken
}

/** The time within which all but a hundredth were. */
function slowest(taken: number[]): number {
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? 0
}
