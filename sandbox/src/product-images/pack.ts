/**
 * A generated picture of a pack as PNG, with its name and optional code: the demo has pictures without a
 * network.
 */
export async function renderPack(name: string, code: string | null): Promise<Buffer> {
  // Loaded with the first picture: most processes need none.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(drawing(name, code)))
    .png({ palette: true })
    .toBuffer()
}

function drawing(name: string, code: string | null): string {
  const number = code === null ? letterSum(name) : Number(code.slice(0, 8))
  const hue = (number * 47) % 360
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="1200" height="900">
<rect width="400" height="300" fill="#fff"/>
<path d="M40 84l26-30h294l-26 30z" fill="hsl(${hue} 30% 88%)" stroke="#b8bfc8"/>
<path d="M334 84l26-30v176l-26 30z" fill="hsl(${hue} 30% 78%)" stroke="#b8bfc8"/>
<rect x="40" y="84" width="294" height="176" fill="#fdfdfb" stroke="#b8bfc8"/>
<rect x="40" y="84" width="14" height="176" fill="hsl(${hue} 55% 42%)"/>
<text x="72" y="146" font-family="sans-serif" font-size="32" font-weight="bold" fill="hsl(${hue} 55% 32%)">${name}</text>
<text x="72" y="172" font-family="sans-serif" font-size="14" fill="#666">confezione dimostrativa</text>
<text x="72" y="242" font-family="monospace" font-size="16" fill="#333">${code === null ? '' : `A${code}`}</text>
<path d="M292 214v28M278 228h28" stroke="hsl(${hue} 55% 42%)" stroke-width="10"/>
</svg>`
}

function letterSum(name: string): number {
  return Array.from(name).reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
}
