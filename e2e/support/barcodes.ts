import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')

let isPrepared = false

/** The texts of all barcodes in a picture (PNG), in no order, as a reader with a camera reads them. */
export async function readBars(picture: Uint8Array): Promise<string[]> {
  if (!isPrepared) {
    // By default it would come from a CDN.
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer } })
    isPrepared = true
  }
  const found = await readBarcodes(picture, {
    formats: ['Code39', 'Code128'],
    maxNumberOfSymbols: 255,
    minLineCount: 1,
    tryInvert: false,
    tryDownscale: false,
  })
  return found.map(({ text }) => text)
}
