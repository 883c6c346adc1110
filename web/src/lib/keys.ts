import { announceOrKeepScan } from './scans.ts'

/** Keys that follow one another within this time are typed by a barcode scanner, not by a hand. */
const BURST_MS = 60
/** Once that many came in a burst, its next key may be late: the computer is busy. */
const CERTAIN = 3
const LATE_MS = 250

const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock'])
const textless = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'image'])

/** The characters of the present burst, and when the last of them came. */
let burst = { text: '', at: Number.NEGATIVE_INFINITY }
/** A code that is shorter may be two keys that were hit at once. */
const SHORTEST_CODE = 3
/** The action of a single key, until it is sure that no other key follows. */
let held: { timer: ReturnType<typeof setTimeout>; run: () => void } | null = null
/** The key of a burst that is down, whose `keyup` must not press a button either. */
let swallowed: string | null = null

function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !textless.has(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea'))
}

/** Whether the focused element needs the keys itself: a field, a select, a toast. */
export function capturesKeys(target: EventTarget | null): boolean {
  if (isTextField(target)) return true
  return target instanceof Element && target.closest('select, [data-sonner-toaster]') !== null
}

/** How many dialogs and menus are over the page. */
export function countOverlays(): number {
  return document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]').length
}

/** Whether a dialog or menu covers the page. */
export function hasOverlay(): boolean {
  return countOverlays() > 0
}

/** Runs the action of a key. A single character waits until it is sure that it is not the first of a burst. */
export function runAlone(event: KeyboardEvent, action: () => void) {
  event.preventDefault()
  if (event.key.length > 1 || event.repeat) return action()
  if (held) clearTimeout(held.timer)
  const run = () => {
    held = null
    action()
  }
  held = { timer: setTimeout(run, BURST_MS), run }
}

/** @returns whether the key belongs to a burst */
function follows(event: KeyboardEvent): boolean {
  const after = event.timeStamp - burst.at
  return after >= 0 && after <= (burst.text.length < CERTAIN ? BURST_MS : LATE_MS)
}

/** The characters that were typed into a field without pauses, and when the last one was. */
let typed = { text: '', at: Number.NEGATIVE_INFINITY }
/** What scanners read is long and has digits; a quick hand types words. */
const CODE_IN_FIELD = /^(?=(?:\D*\d){5})[0-9A-Z*]{10,}$/i

/** Whether the Enter ends a code that a scanner typed into a form over the page, which must not be sent for that. */
function endsCodeInForm({ key, target, timeStamp }: KeyboardEvent): boolean {
  const after = timeStamp - typed.at
  if (key.length === 1) {
    typed = { text: after <= BURST_MS ? typed.text + key : key, at: timeStamp }
    return false
  }
  const isCode = after <= LATE_MS && CODE_IN_FIELD.test(typed.text)
  return (
    key === 'Enter' && isCode && target instanceof Element && target.matches('[role=dialog] input')
  )
}

function endBurst() {
  burst = { text: '', at: Number.NEGATIVE_INFINITY }
}

/** A letter changes a closed select, and saves it, at once: it opens the list instead, where the browser can. */
function openList(event: KeyboardEvent, select: HTMLSelectElement) {
  runAlone(event, () => {
    if ('showPicker' in select && select.ariaDisabled !== 'true') select.showPicker()
  })
}

function onKeyDown(event: KeyboardEvent) {
  const { key, target, timeStamp, ctrlKey, metaKey } = event
  swallowed = null
  if (modifiers.has(key) || event.isComposing) return
  const isPart = follows(event)
  if (held) {
    clearTimeout(held.timer)
    if (!isPart) held.run()
    held = null
  }
  if (isTextField(target) && endsCodeInForm(event)) event.preventDefault()
  if (isTextField(target) || event.repeat || ctrlKey || metaKey) return endBurst()
  if (key.length === 1) burst = { text: isPart ? burst.text + key : key, at: timeStamp }
  // A code may end with Tab and Enter.
  else if (key !== 'Enter') return key === 'Tab' ? undefined : endBurst()
  if (isPart) {
    swallowed = key
    event.preventDefault()
    event.stopImmediatePropagation()
    if (key === 'Enter') notifyScanned()
  } else if (key.length === 1 && key !== ' ' && target instanceof HTMLSelectElement) {
    openList(event, target)
  }
}

function notifyScanned() {
  const { text } = burst
  burst.text = ''
  if (text.length >= SHORTEST_CODE) announceOrKeepScan(text)
}

function onKeyUp(event: KeyboardEvent) {
  if (event.key === swallowed) event.preventDefault()
}

/**
 * A barcode scanner is a keyboard that types digits and letters quickly and ends with Enter, on whatever page is open.
 * Outside of text fields its keys reach neither shortcuts nor the focused button.
 */
export function guardAgainstScanners() {
  // Before all other listeners. A second call changes nothing.
  window.addEventListener('keydown', onKeyDown, true)
  window.addEventListener('keyup', onKeyUp, true)
}
