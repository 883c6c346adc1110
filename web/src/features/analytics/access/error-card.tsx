import { paths } from '@bancone/contract/pages'
import { ChevronLeft, CircleAlert, RotateCw } from 'lucide-react'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'

/** Back to the page before, or to the dashboard where there is none: a link that was opened in a new tab. */
export function useBack() {
  const navigate = useNavigate()
  return () => {
    const state: unknown = window.history.state
    const isFirst = typeof state !== 'object' || state === null || Reflect.get(state, 'idx') === 0
    void (isFirst ? navigate(paths.dashboard) : navigate(-1))
  }
}

type ErrorCardProps = {
  title: string
  text: string
  /** 'h1' where it replaces the whole page. */
  heading?: 'h1' | 'h2'
  busy: boolean
  onRetry: () => void
}

/** Replaces what could not be loaded. */
export function ErrorCard({ title, text, heading: Heading = 'h1', busy, onRetry }: ErrorCardProps) {
  const goBack = useBack()
  return (
    <div
      role="alert"
      className="mx-auto flex w-full max-w-lg flex-col items-center gap-1 rounded-card border border-line bg-surface px-6 py-12 text-center"
    >
      <span
        aria-hidden
        className="mb-3 grid size-12 place-items-center rounded-full bg-danger-soft text-danger"
      >
        <CircleAlert className="size-6" />
      </span>
      <Heading className="text-base font-medium">{title}</Heading>
      <p className="max-w-sm text-sm text-balance text-muted">{text}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <Button onClick={goBack}>
          <ChevronLeft aria-hidden />
          Indietro
        </Button>
        <Button look="primary" inactive={busy} onClick={onRetry}>
          <RotateCw aria-hidden />
          Riprova
        </Button>
      </div>
    </div>
  )
}
