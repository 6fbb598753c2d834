import { useQuery } from '@tanstack/react-query';
import { budgetQuery } from '../../wire/usage.ts';
import { BudgetNotice } from './budget-notice.tsx';

/** The limits of use, in a session: nothing while they are far. */
export function SessionBudget({ sessionId }: { sessionId: string }) {
  const { data } = useQuery(budgetQuery(sessionId));
  return data ? <BudgetNotice budget={data} sessionId={sessionId} /> : null;
}
