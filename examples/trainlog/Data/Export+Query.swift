extension Export {
  /// The same as a query, for those who export without the app: what `export.sql` has.
  static let query = """
    SELECT json_object(
      'schemaVersion', 1,
      'exportedAt', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
      'appVersion', '1.0',
      'locale', 'und',
      'timezone', 'UTC',
      'workouts', (
        SELECT json_group_array(json(workout)) FROM (
          SELECT json_object('id', id, 'date', date, 'note', note, 'sets', (
            SELECT json_group_array(json(entry)) FROM (
              SELECT json_object(
                'id', id, 'exerciseId', exerciseId, 'weight', weight, 'reps', reps,
                'durationSeconds', durationSeconds, 'rpe', rpe, 'createdAt', createdAt) AS entry
              FROM exerciseSet WHERE workoutId = workout.id ORDER BY position, id))) AS workout
          FROM workout ORDER BY date DESC, id)),
      'favorites', (
        SELECT json_group_array(exerciseId)
        FROM (SELECT exerciseId FROM favoriteExercise ORDER BY exerciseId)),
      'settings', json_object(
        'weightUnit', coalesce((SELECT weightUnitRaw FROM userSettings), 'kg')))
    """
}
