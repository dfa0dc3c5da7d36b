# A referee that refuses the line ends the lane of its sender, which is all that shows the loss: nobody else is left.
cp $cases/run/_nobody-is-told.yaml told.yaml
only '"\+3" was taken.*|.* lenient' urtext run -v --no-diagnosis told.yaml
