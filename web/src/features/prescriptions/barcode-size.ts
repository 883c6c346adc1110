import { useSyncExternalStore } from 'react'
import { createStoredValue } from '../../lib/stored-value.ts'

/** CSS pixels of the narrowest bar, and how the size is called. */
const barcodeSizes = [
  { module: 2, name: 'Piccola' },
  { module: 3, name: 'Media' },
  { module: 4, name: 'Grande' },
] as const

type BarcodeModule = (typeof barcodeSizes)[number]['module']

const stored = createStoredValue('bancone-barcode-size')

function storedModule(): BarcodeModule {
  return barcodeSizes.find(({ module }) => String(module) === stored.get())?.module ?? 2
}

/** The size that the reader of this device reads, as chosen on the test page. */
export function useBarcodeModule(): BarcodeModule {
  return useSyncExternalStore(stored.subscribe, storedModule)
}
