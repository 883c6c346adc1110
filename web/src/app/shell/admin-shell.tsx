import { Outlet } from 'react-router'
import { AdminHeader } from './admin-header.tsx'
import { StaffFrame } from './staff-frame.tsx'

/** Layout of the administration. */
export function AdminShell({ email }: { email: string }) {
  return (
    <StaffFrame header={<AdminHeader email={email} />}>
      <Outlet />
    </StaffFrame>
  )
}
