import { lazy } from 'react'
import { loadWhenIdle } from '../lib/when-idle.ts'

type ToastOptions = {
  description?: string
  /** Identifies the subject: a toast replaces the previous one about the same subject. */
  about?: string
  action?: { label: string; run: () => void }
  /** Stays until it is closed, for messages that must not be missed. */
  lasting?: boolean
  /** How long it stays, where that is prescribed. */
  milliseconds?: number
  /** Stays longer than others, for an action that would be laborious to redo by hand. */
  long?: boolean
}

const SHORT_MS = 6_000
const LONG_MS = 15_000
/** How long a toast waits for the toaster to be mounted. After that it would appear on another page. */
const TOASTER_TIMEOUT_MS = 15_000

const load = () => import('./toaster.tsx')

/** The container of the toasts, in a chunk of its own that does not delay the page. */
export const Toaster = lazy(async () => ({ default: (await loadWhenIdle(load)).Toaster }))

type Toast = Awaited<ReturnType<typeof load>>['toast']

/** Runs once the toaster is mounted. Nothing happens if its code could not be loaded. */
function whenToasterReady(say: (toast: Toast) => void) {
  void load()
    .then(async ({ toast, toasterReady }) => {
      const late = new Promise((resolve) => setTimeout(resolve, TOASTER_TIMEOUT_MS, 'late'))
      if ((await Promise.race([toasterReady(), late])) !== 'late') say(toast)
    })
    .catch(() => undefined)
}

// A new toast replaces the old one instead of updating it: an updated toast keeps its remaining time, and disappears
// if it was already being dismissed.
const shown = new Map<string, string | number>()
let lastResult: string | number | undefined

function remember(about: string | undefined, id: string | number) {
  if (about !== undefined) shown.set(about, id)
}

function dismiss(toast: Toast, about: string | undefined) {
  const id = about === undefined ? undefined : shown.get(about)
  if (id !== undefined) toast.dismiss(id)
}

function shape({ description, action, lasting = false, long = false, ...rest }: ToastOptions) {
  return {
    description,
    action: action ? { label: action.label, onClick: action.run } : undefined,
    closeButton: lasting,
    duration: rest.milliseconds ?? (lasting ? Number.POSITIVE_INFINITY : long ? LONG_MS : SHORT_MS),
  }
}

/** Shows an error. */
export function toastError(text: string, options: ToastOptions = {}) {
  whenToasterReady((toast) => {
    dismiss(toast, options.about)
    remember(options.about, toast.error(text, shape(options)))
  })
}

/** Shows something that has happened elsewhere, or is happening. */
export function toastNews(text: string, options: ToastOptions = {}) {
  whenToasterReady((toast) => {
    dismiss(toast, options.about)
    remember(options.about, toast(text, shape(options)))
  })
}

/** Shows a success message for a short time. Only the last one is visible. */
export function toastSuccess(text: string, options: ToastOptions = {}) {
  whenToasterReady((toast) => {
    dismiss(toast, options.about)
    if (lastResult !== undefined) toast.dismiss(lastResult)
    lastResult = toast.success(text, shape(options))
    remember(options.about, lastResult)
  })
}

/** Removes the toast about a subject that no longer applies. */
export function dismissToast(about: string) {
  whenToasterReady((toast) => dismiss(toast, about))
}

/** Focuses the action of the latest toast, for example 'Annulla'. */
export function focusToastAction() {
  document.querySelector<HTMLElement>('[data-sonner-toast][data-front=true] [data-action]')?.focus()
}

/** For `onInteractOutside` of a dialog: a press on a toast above it does not close it. */
export function keepForToasts(event: Event) {
  if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]')) {
    event.preventDefault()
  }
}
