import { lazy } from 'react'

type ToastOptions = {
  description?: string
  /** Toasts with the same id replace each other. */
  id?: string
}

const load = () => import('./toaster.tsx')

/** Where the results of actions appear. Its code comes after the page, which does not wait for it. */
export const Toaster = lazy(async () => ({ default: (await load()).Toaster }))

/** Says what could not be done. */
export function toastError(text: string, options: ToastOptions = {}) {
  void load()
    .then(async ({ toast, toasterShown }) => {
      await toasterShown
      toast.error(text, options)
    })
    .catch(() => undefined)
}
