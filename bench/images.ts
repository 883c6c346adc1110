import { setTimeout as pause } from 'node:timers/promises'
import { ImageVariant, variantUrl } from '@bancone/contract/image-variants'
import { UploadedImage } from '@bancone/contract/images'
import { drawn } from '../server/test/pictures.ts'
import type { Bench } from './bench.ts'
import { compareBytes } from './compare.ts'
import { median, pagesUntil } from './load.ts'
import { signInTo } from './server-process.ts'

const SERVED_GOAL = 0.7
const WAITING_GOAL = 3
const ROUNDS = 3
const VARIANTS = 100
const IDLE_MS = 8_000
const FORMATS = ['image/avif', 'image/webp', 'image/jpeg']

/** What pictures cost: serving one that was made, and what those at work wait while others are made. */
export async function benchImages(bench: Bench): Promise<void> {
  const ours = await bench.serve()
  const headers = await signInTo(ours.url, bench.database.pharmacies.at(-4)?.email ?? '')
  let uploaded = 0
  const upload = async () => {
    uploaded += 1
    const reply = await fetch(`${ours.url}/api/images`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'image/png' },
      body: new Uint8Array(await photograph(uploaded)),
    })
    return UploadedImage.parse(await reply.json()).url
  }
  const made = { path: variantUrl(await upload(), 'card'), headers: { accept: 'image/webp' } }
  await take({ url: ours.url + made.path, accept: made.headers.accept })
  const what = 'A picture that was made before'
  await compareBytes(bench, { what, ours, ...made, goals: { ratio: SERVED_GOAL } })

  const pages = (until: Promise<unknown>) => pagesUntil(ours.url, headers, until)
  await pages(pause(2_000))
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const addresses: Address[] = []
    while (addresses.length < VARIANTS) addresses.push(...addressesOf(ours.url, await upload()))
    const idle = await pages(pause(IDLE_MS))
    ratios.push((await pages(takeAll(addresses.slice(0, VARIANTS)))) / idle)
  }
  const ratio = median(ratios)
  if (ratio > WAITING_GOAL) bench.missed.push('pages of orders while pictures are made')
  bench.say(
    `p99 of a page of orders while ${VARIANTS} pictures are made, against idle: ` +
      `${ratios.map((one) => one.toFixed(2)).join(', ')}: ratio ${ratio.toFixed(2)} ` +
      `(goal: at most ${WAITING_GOAL})`,
  )
}

/** A picture with large shapes and fine grain, as photographs have; another one for each number. */
function photograph(number: number): Promise<Buffer> {
  const [width, height] = [1_200, 900]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <filter id="clouds">
      <feTurbulence type="fractalNoise" baseFrequency="0.01" numOctaves="5" seed="${number}"/>
    </filter>
    <rect width="100%" height="100%" fill="grey"/>
    <rect width="100%" height="100%" filter="url(#clouds)"/>
  </svg>`
  const input = Buffer.from(svg)
  return drawn(width, height).composite([{ input }]).png({ compressionLevel: 1 }).toBuffer()
}

/** A picture and the format to request. */
type Address = { url: string; accept: string }

function addressesOf(origin: string, url: string): Address[] {
  // One is made already: it is what is kept.
  return ImageVariant.options.flatMap((variant) =>
    FORMATS.filter((accept) => variant !== 'original' || accept !== 'image/webp').map((accept) => ({
      url: origin + variantUrl(url, variant),
      accept,
    })),
  )
}

/** As browsers do, a few at once. */
async function takeAll(addresses: Address[]): Promise<void> {
  const left = [...addresses]
  const visitor = async () => {
    for (let next = left.pop(); next; next = left.pop()) await take(next)
  }
  await Promise.all(Array.from({ length: 6 }, visitor))
}

async function take({ url, accept }: Address): Promise<void> {
  const reply = await fetch(url, { headers: { accept } })
  await reply.arrayBuffer()
  if (!reply.ok || reply.headers.get('content-type') !== accept) {
    throw new Error(`a picture answered ${reply.status}`)
  }
}
