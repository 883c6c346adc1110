import { X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'

export type ToastText = {
  title: string
  text: string
  /** What the customer can do. */
  hint?: string
  isError: boolean
}

const SHOWN_MS = 10_000

/** One message at a time, over the page. */
export function useToast() {
  const [toast, setToast] = useState<ToastText | null>(null)
  useEffect(() => {
    if (!toast) return undefined
    const timer = setTimeout(() => setToast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return { toast, show: setToast, close: useCallback(() => setToast(null), []) }
}

type ToastProps = { toast: ToastText | null; onClose: () => void }

/** The regions are there before their text, or it would not be announced. */
export function Toast({ toast, onClose }: ToastProps) {
  const content = toast ? (
    <div className="pointer-events-auto flex w-full max-w-md items-start gap-2 rounded-card bg-surface py-1 pr-1 pl-4 shadow-float">
      <div className="min-w-0 flex-1 py-2">
        <p className={`font-medium ${toast.isError ? 'text-danger' : 'text-confirmed'}`}>
          {toast.title}
        </p>
        <p className="text-sm text-pretty text-muted">{toast.text}</p>
        {toast.hint === undefined ? null : <p className="mt-1 text-sm text-pretty">{toast.hint}</p>}
      </div>
      <button
        type="button"
        aria-label="Chiudi"
        className="grid size-12 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken"
        onClick={onClose}
      >
        <X aria-hidden className="size-5" />
      </button>
    </div>
  ) : null
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-10 flex justify-center p-3">
      <div role="alert" className="contents">
        {toast?.isError ? content : null}
      </div>
      <div role="status" className="contents">
        {toast?.isError === false ? content : null}
      </div>
    </div>
  )
}
