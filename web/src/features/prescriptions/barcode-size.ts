import { useSyncExternalStore } from 'react'
import { createStoredValue } from '../../lib/stored-value.ts'

/** CSS pixels of the narrowest bar, and how the size is called. */
export const barcodeSizes = [
  { module: 2, name: 'Piccola' },
  { module: 3, name: 'Media' },
  { module: 4, name: 'Grande' },
] as const

export type BarcodeModule = (typeof barcodeSizes)[number]['module']

const stored = createStoredValue('bancone-barcode-size')

function storedModule(): BarcodeModule {
  return barcodeSizes.find(({ module }) => String(module) === stored.get())?.module ?? 2
}

/** The size that the reader of this device reads, as chosen on the test page. */
export function useBarcodeModule(): BarcodeModule {
  return useSyncExternalStore(stored.subscribe, storedModule)
}

export function setBarcodeModule(module: BarcodeModule) {
  stored.set(String(module))
}

function subscribeToWindow(listener: () => void) {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** CSS pixels, and pixels of the screen for each of them. */
const windowSize = () => [window.innerWidth, window.innerHeight, window.devicePixelRatio].join(' ')

/**
 * CSS pixels of the narrowest bar: as chosen or, where there is no room, as wide as fits. In whole pixels of the screen.
 *
 * @param space CSS pixels for each module
 * @param ratio pixels of the screen for each CSS pixel
 */
export function fittingModule(chosen: number, space: number, ratio: number): number {
  // The products of such ratios are not exact.
  const [wanted, largest] = [Math.ceil(chosen * ratio - 0.01), Math.floor(space * ratio + 0.01)]
  return Math.max(1, Math.min(wanted, largest)) / ratio
}

/**
 * How bars are drawn in this window so that the longest fits.
 *
 * @param modules the length of the longest
 */
export function useFittingBars(
  modules: number,
  chosen: BarcodeModule,
): { module: number; upright: boolean } {
  const size = useSyncExternalStore(subscribeToWindow, windowSize)
  const [width = 0, height = 0, ratio = 1] = size.split(' ').map(Number)
  const lying = fittingModule(chosen, width / modules, ratio)
  const upright = fittingModule(chosen, height / modules, ratio)
  return { module: Math.max(lying, upright), upright: upright > lying }
}
