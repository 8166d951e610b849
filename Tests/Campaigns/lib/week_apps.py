"""The four example apps as the campaign `week` uses them: how something is written down, and what is on the screen."""

import re


class App:
    """One app: its program, its words for what a person does, and whether names are changed and deleted there."""

    program = ""
    edits = True

    def record(self, name):
        """The words that write something down under a name."""
        raise NotImplementedError

    def screen(self):
        return ["list"]

    def edit(self, name, new, screen):
        """The words that give it another name."""
        raise NotImplementedError

    def delete(self, name, screen):
        raise NotImplementedError

    def names(self, text):
        """The names on a screen."""
        return re.findall(r"覚[^\s「」:：,\"]+", text)


class TrainLog(App):
    program = "trainlog"

    def record(self, name):
        return ["log", "スクワット", "82,5x5@8", "--note", name]

    def edit(self, name, new, screen):
        return ["edit", self.number(name, screen), "--note", new]

    def delete(self, name, screen):
        return ["delete", self.number(name, screen)]

    @staticmethod
    def number(name, screen):
        return next((line.split()[0] for line in screen.splitlines() if line.split()[-1] == name), "0")


class BuffStuff(App):
    program = "buffstuff"

    def record(self, name):
        return ["add", name, "82,5"]

    def edit(self, name, new, screen):
        return ["edit", name, "85", new]

    def delete(self, name, screen):
        return ["delete", name]


class DailyDo(App):
    program = "dailydo"

    def record(self, name):
        return ["add", name]

    def edit(self, name, new, screen):
        return ["edit", name, new]

    def delete(self, name, screen):
        return ["delete", name]


class Workouts(App):
    program = "workouts"
    edits = False

    def record(self, name):
        return ["log", "1", "82,5", "--feedback", name]

    def screen(self):
        return ["sessions"]


APPS = [TrainLog(), BuffStuff(), DailyDo(), Workouts()]
