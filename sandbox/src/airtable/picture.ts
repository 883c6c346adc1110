/** The size of the cache of rendered pictures. */
const MAX_KEPT = 100

const drawn = new Map<number, Promise<Buffer>>()

/** A generated picture like a prescription, as PNG: the demo has pictures without a network. */
export function picture(seed: number): Promise<Buffer> {
  const kept = drawn.get(seed) ?? draw(seed)
  drawn.delete(seed)
  drawn.set(seed, kept)
  const [oldest] = drawn.keys()
  if (oldest !== undefined && drawn.size > MAX_KEPT) drawn.delete(oldest)
  return kept
}

async function draw(seed: number): Promise<Buffer> {
  // Loaded with the first picture: most processes need none.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(drawing(seed)))
    .png({ palette: true })
    .toBuffer()
}

function drawing(seed: number): string {
  const hue = (seed * 47) % 360
  const lines = Array.from({ length: 6 }, (_, line) => {
    const width = 180 + ((seed * 31 + line * 57) % 120)
    return `<rect x="50" y="${170 + line * 34}" width="${width}" height="10" rx="5" fill="#8a94a3"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 460" width="800" height="920">
<rect width="400" height="460" fill="#e9e6df"/>
<rect x="24" y="24" width="352" height="412" rx="8" fill="#fff" stroke="#d5d0c4"/>
<rect x="50" y="52" width="70" height="70" rx="10" fill="hsl(${hue} 45% 42%)"/>
<path d="M85 66v42M64 87h42" stroke="#fff" stroke-width="12" stroke-linecap="round"/>
<text x="138" y="82" font-family="sans-serif" font-size="22" fill="#333">Ricetta ${1000 + seed}</text>
<text x="138" y="110" font-family="sans-serif" font-size="15" fill="#666">immagine dimostrativa</text>
${lines.join('\n')}
</svg>`
}
