import { useRef } from 'react'
import { sessions, useSession } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { ActivitySection } from './activity-section.tsx'
import { ApiKeysSection } from './api-keys-section.tsx'
import { DevicesSection } from './devices-section.tsx'
import { LinkedSection } from './linked-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PersonSection } from './person-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SupportVisitsSection } from './support-visits-section.tsx'

/** The user's own account and its security. Each section loads and fails independently. */
export function AccountPage({ area }: { area: Area }) {
  const session = useSession(sessions[area])
  const password = useRef<HTMLHeadingElement>(null)
  const email = session.status === 'signed-in' ? session.email : ''
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Sicurezza</PageTitle>
      <PersonSection area={area} />
      <PasswordSection area={area} email={email} heading={password} />
      <SecondFactorSection area={area} />
      <LinkedSection area={area} />
      <DevicesSection area={area} />
      {area === 'pharmacy' ? <ApiKeysSection /> : null}
      {area === 'pharmacy' ? <SupportVisitsSection /> : null}
      <ActivitySection
        area={area}
        onChangePassword={() => {
          password.current?.focus()
          password.current?.scrollIntoView({ block: 'start' })
        }}
      />
    </div>
  )
}
