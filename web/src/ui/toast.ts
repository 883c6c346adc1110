import { lazy } from 'react'

type ToastOptions = {
  description?: string
  /** The subject: the next toast about it takes the place of this one. */
  about?: string
  action?: { label: string; run: () => void }
  /** It stays until it is closed, for what must not be missed. */
  lasting?: boolean
  /** It stays longer than others: its action takes back more than can be done again by hand. */
  long?: boolean
}

const SHORT_MS = 6_000
const LONG_MS = 15_000
/** So long a toast waits for the page it is to appear on. It is not for whoever comes later. */
const PLACE_WAIT_MS = 15_000

const load = () => import('./toaster.tsx')

/** Where the results of actions appear. Its code comes after the page, which does not wait for it. */
export const Toaster = lazy(async () => ({ default: (await load()).Toaster }))

type Toast = Awaited<ReturnType<typeof load>>['toast']

/** Runs once toasts can appear. Where their code could not be loaded, the page goes on without. */
function withToasts(say: (toast: Toast) => void) {
  void load()
    .then(async ({ toast, toasterShown }) => {
      const late = new Promise((resolve) => setTimeout(resolve, PLACE_WAIT_MS, 'late'))
      if ((await Promise.race([toasterShown(), late])) !== 'late') say(toast)
    })
    .catch(() => undefined)
}

// Every toast is one of its own, and the one before is taken away: an old one that is given a new
// text keeps the time it had left, or goes with it when it was on its way out.
const shown = new Map<string, string | number>()
let lastResult: string | number | undefined

function remember(about: string | undefined, id: string | number) {
  if (about !== undefined) shown.set(about, id)
}

function dismiss(toast: Toast, about: string | undefined) {
  const id = about === undefined ? undefined : shown.get(about)
  if (id !== undefined) toast.dismiss(id)
}

function shape({ description, action, lasting = false, long = false }: ToastOptions) {
  return {
    description,
    action: action ? { label: action.label, onClick: action.run } : undefined,
    closeButton: lasting,
    duration: lasting ? Number.POSITIVE_INFINITY : long ? LONG_MS : SHORT_MS,
  }
}

/** Says what could not be done. */
export function toastError(text: string, options: ToastOptions = {}) {
  withToasts((toast) => {
    dismiss(toast, options.about)
    remember(options.about, toast.error(text, shape(options)))
  })
}

/** Says for a short while what was done. There is one of these at a time: the last. */
export function toastResult(text: string, options: ToastOptions = {}) {
  withToasts((toast) => {
    dismiss(toast, options.about)
    if (lastResult !== undefined) toast.dismiss(lastResult)
    lastResult = toast.success(text, shape(options))
    remember(options.about, lastResult)
  })
}

/** Takes away what was said about the subject: it no longer holds. */
export function dismissToast(about: string) {
  withToasts((toast) => dismiss(toast, about))
}
