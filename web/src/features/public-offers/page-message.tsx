import type { ReactNode } from 'react'
import { cn } from '../../ui/class-names.ts'
import { PAGE_TITLE_ID } from './page-focus.ts'

type PageMessageProps = {
  icon: ReactNode
  title: string
  /** The message replaces the whole page. */
  alone?: boolean
  text?: string
  action?: ReactNode
}

/** Explains why nothing is shown, and what to do. */
export function PageMessage({ icon, title, alone = false, text, action }: PageMessageProps) {
  const Title = alone ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center px-4 py-14 text-center">
      <span
        aria-hidden
        className="mb-4 grid size-14 place-items-center rounded-full bg-accent-soft text-accent [&_svg]:size-7"
      >
        {icon}
      </span>
      <Title
        {...(alone ? { id: PAGE_TITLE_ID, tabIndex: -1 } : {})}
        className={cn('font-medium outline-none', alone ? 'text-2xl tracking-tight' : 'text-lg')}
      >
        {title}
      </Title>
      {text === undefined ? null : <p className="mt-1 max-w-md text-balance text-muted">{text}</p>}
      {action ? <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  )
}
