import { UserLock } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Unavailable } from './unavailable.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

type RequireOwnerProps = {
  /** Shown to users who are not owners: that the page is for owners, and what to do. */
  title: string
  text: string
  children: ReactNode
}

function NotForYou({ title, text }: Omit<RequireOwnerProps, 'children'>) {
  const here = useRef<HTMLDivElement>(null)
  // It may replace content that had the focus, when the user's role has changed.
  useEffect(() => here.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={here} tabIndex={-1} className="flex flex-1 flex-col outline-none">
      <Unavailable icon={<UserLock />} title={title}>
        {text}
      </Unavailable>
    </div>
  )
}

/** A page for owners of the pharmacy. */
export function RequireOwner({ title, text, children }: RequireOwnerProps) {
  return (
    <WithPharmacy>
      {({ role }) => (role === 'owner' ? children : <NotForYou title={title} text={text} />)}
    </WithPharmacy>
  )
}
