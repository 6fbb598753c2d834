const DAY = 24 * 60;

/** Minutes a shift lasts. */
export function duration({ start, end }) {
  return end - start;
}

/** Minutes per person, over all of their shifts. */
export function minutesByPerson(shifts) {
  const minutes = new Map();
  for (const shift of shifts) {
    minutes.set(shift.person, (minutes.get(shift.person) ?? 0) + duration(shift));
  }
  return minutes;
}

export function overlaps(a, b) {
  return a.start < b.end && b.start < a.end;
}

/** Pairs of shifts of one person that overlap. */
export function conflicts(shifts) {
  const found = [];
  for (const [index, a] of shifts.entries()) {
    for (const b of shifts.slice(index + 1)) {
      if (a.person === b.person && overlaps(a, b)) found.push([a, b]);
    }
  }
  return found;
}

/** The parts of the day that no shift covers, as `{ start, end }`. */
export function uncovered(shifts) {
  const sorted = [...shifts].sort((a, b) => a.start - b.start);
  const gaps = [];
  let covered = 0;
  for (const { start, end } of sorted) {
    if (start > covered) gaps.push({ start: covered, end: start });
    covered = Math.max(covered, end);
  }
  if (covered < DAY) gaps.push({ start: covered, end: DAY });
  return gaps;
}
